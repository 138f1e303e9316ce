#include "analysis/other_roots.h"

#include "base/text.h"
#include "heap/heap.h"
#include "heap/root.h"

static void other_roots_add_some(uint64_t count, const char *one, const char *many, struct buf *out)
{
	if (!count)
		return;
	if (out->len)
		buf_add(out, ", ");
	text_add_number_of(out, count, one, many);
}

/* Appends the kinds of roots of a runtime that has threads. */
static void other_roots_add_kinds(const struct other_roots *others, const struct heap *heap,
                                  struct buf *out)
{
	const struct runtime_words *words = heap_words(heap);
	bool cleanups = heap_root_count(heap, ROOT_CLEANUP); /* of the same class */
	const uint64_t *count = others->count;
	const struct {
		uint64_t count;
		const char *one, *many;
	} kinds[] = {
		{count[ROOT_CLASS_GLOBAL], "variable", "variables"},
		{count[ROOT_CLASS_PARKED] + count[ROOT_CLASS_RUNNING], words->thread, words->threads},
		{others->timers, "timer", "timers"},
		{count[ROOT_CLASS_POOL], "pool", "pools"},
		{count[ROOT_CLASS_FINALIZER], cleanups ? "finalizer or cleanup" : "finalizer",
	     cleanups ? "finalizers or cleanups" : "finalizers"},
		{count[ROOT_CLASS_RUNTIME], "runtime root", "runtime roots"},
	};
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		other_roots_add_some(kinds[i].count, kinds[i].one, kinds[i].many, out);
}

void other_roots_add(const struct analysis *analysis, const struct other_roots *others,
                     struct buf *out)
{
	const struct heap *heap = analysis_heap(analysis);
	SCOPED_BUF kinds = {0};
	uint64_t all = 0;
	for (enum root_class c = 0; c < ROOT_CLASSES; c++)
		all += others->count[c];
	if (heap_words(heap)->thread)
		other_roots_add_kinds(others, heap, &kinds);
	else
		other_roots_add_some(all, "root", "roots", &kinds);
	if (kinds.len)
		buf_addf(out, "also reached through %s", buf_text(&kinds));
	else
		buf_add(out, "no other root leads to it");
	if (others->timers_unknown)
		buf_add(out, "; timers may lead there");
}
