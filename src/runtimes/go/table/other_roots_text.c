#include "runtimes/go/table/other_roots_text.h"

#include "base/text.h"

struct other_roots other_roots_without(const struct analysis *analysis,
                                       const struct other_roots *all, uint32_t root)
{
	struct other_roots others = *all;
	const struct root_nodes *root_nodes = analysis_root_nodes(analysis);
	enum root_class root_class = other_roots_class(root_nodes, root);
	if (root_class < ROOT_CLASSES && others.count[root_class])
		others.count[root_class]--;
	return others;
}

static void other_roots_add_some(uint64_t count, const char *one, const char *many, struct buf *out)
{
	if (!count)
		return;
	if (out->len)
		buf_add(out, ", ");
	text_add_number_of(out, count, one, many);
}

/* Appends the kinds of roots in a log, whose names differ from Go's. */
static void other_roots_add_kinds(const struct other_roots *others, struct buf *out)
{
	const uint64_t *count = others->count;
	const struct {
		uint64_t count;
		const char *one, *many;
	} kinds[] = {
		{count[ROOT_CLASS_GLOBAL], "variable", "variables"},
		{count[ROOT_CLASS_PARKED] + count[ROOT_CLASS_RUNNING], "goroutine", "goroutines"},
		{others->timers, "timer", "timers"},
		{count[ROOT_CLASS_POOL], "pool", "pools"},
		{count[ROOT_CLASS_FINALIZER], "finalizer", "finalizers"},
		{count[ROOT_CLASS_RUNTIME], "runtime root", "runtime roots"},
	};
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		other_roots_add_some(kinds[i].count, kinds[i].one, kinds[i].many, out);
}

void other_roots_add(const struct analysis *analysis, const struct other_roots *others,
                     struct buf *out)
{
	struct buf kinds = {0};
	uint64_t all = 0;
	for (enum root_class c = 0; c < ROOT_CLASSES; c++)
		all += others->count[c];
	if (heap_has(analysis_heap(analysis), PART_GO))
		other_roots_add_kinds(others, &kinds);
	else
		other_roots_add_some(all, "root", "roots", &kinds);
	if (kinds.len)
		buf_addf(out, "also reached through %s", buf_text(&kinds));
	else
		buf_add(out, "no other root leads to it");
	if (others->timers_unknown)
		buf_add(out, "; timers may lead there");
	buf_free(&kinds);
}
