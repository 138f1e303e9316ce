#include "analysis/series.h"

#include "base/mem.h"
#include "format/format.h"
#include "heap/heap.h"
#include "heap/root.h"
#include "series_cache.h"
#include "series_fit.h"
#include "stages.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { CLEANUPS_SINCE = 23 };

/* Compares roots by address, or frames by thread, because stacks move. */
static bool same_root(const struct heap *older, const struct root *before, const struct heap *newer,
                      const struct root *root)
{
	if (!before || !root)
		return !before && !root;
	if (before->kind != root->kind)
		return false;
	if (root->kind != ROOT_FRAME)
		return before->address == root->address;
	uint32_t was = older->frames[before->holder].thread;
	uint32_t is = newer->frames[root->holder].thread;
	return was < older->thread_count && is < newer->thread_count
	       && older->threads[was].record.id == newer->threads[is].record.id;
}

bool series_untyped_alike(const struct analysis *older, uint32_t before,
                          const struct analysis *newer, uint32_t object)
{
	const struct series *series = analysis_series(newer);
	const struct heap *was = analysis_heap(older), *is = analysis_heap(newer);
	return same_root(was, series_root_of(series->cache, analysis_reach(older), before), is,
	                 series_root_of(series->cache, analysis_reach(newer), object))
	       || series_places_get(series->cache, was, is)[object] & PLACE_CONTENTS;
}

const char *series_differs_in_kind(const struct analysis *a, const struct analysis *b)
{
	const struct heap *x = analysis_heap(a), *y = analysis_heap(b);
	if (heap_has(x, PART_PROCESS) == heap_has(y, PART_PROCESS)
	    || record_minor_version(x->params.version) < CLEANUPS_SINCE)
		return NULL;
	return "Only the core file records cleanups and weak handles, the heap dump does not: objects "
		   "that only these keep alive seem to be new, or gone";
}

bool series_knows_reach(const struct analysis *older, struct err *err)
{
	return analysis_has_roots(older)
	       || err_set(err, "There are no roots in %.200s: what was alive then cannot be told",
	                  analysis_path(older));
}

/* Returns the same object in an older dump: of the same number, if numbers last; else the same
   shape at the address, and not unreachable there but reachable now, because garbage does not come
   back.
 */
static uint32_t series_same_place(const struct analysis *older, const struct analysis *newer,
                                  uint32_t object)
{
	const struct heap *was_in = analysis_heap(older), *is_in = analysis_heap(newer);
	const struct reach *a = analysis_reach(older), *b = analysis_reach(newer);
	if (heap_has(is_in, PART_IDS))
		return heap_find(was_in, heap_address(is_in, object));
	const uint8_t *places = series_places_get(analysis_series(newer)->cache, was_in, is_in);
	if (!(places[object] & PLACE_SHAPE))
		return OBJECT_NONE;
	uint32_t before = heap_find(was_in, heap_address(is_in, object));
	bool known = analysis_has_roots(older) && analysis_has_roots(newer);
	bool was = reach_before(a, before) != OBJECT_NONE, is = reach_before(b, object) != OBJECT_NONE;
	bool comes_back = known && is && !was;
	/* unless only one of the two dumps records all roots */
	return comes_back && !series_differs_in_kind(older, newer) ? OBJECT_NONE : before;
}

bool series_knows_objects(const struct analysis *newer)
{
	return heap_has(analysis_heap(newer), PART_MEMORY) || heap_has(analysis_heap(newer), PART_IDS);
}

void series_prepare(const struct series *series, const struct analysis *newer)
{
	if (!heap_has(analysis_heap(newer), PART_MEMORY))
		return;
	for (size_t i = 0; i < series->count; i++) {
		const struct analysis *older = series->older[i];
		series_places_get(series->cache, analysis_heap(older), analysis_heap(newer));
		series_roots_get(series->cache, analysis_reach(older));
	}
	series_roots_get(series->cache, analysis_reach(newer));
}

size_t series_born(const struct analysis *newer, uint32_t object, series_alike *alike)
{
	const struct series *series = analysis_series(newer);
	size_t born = series->count + 1;
	for (size_t i = series->count; i-- > 0; born--) {
		const struct analysis *older = series_older(newer, i);
		uint32_t before = series_same_place(older, newer, object);
		bool proven = heap_has(analysis_heap(newer), PART_IDS);
		if (before == OBJECT_NONE || (!proven && !alike(older, before, newer, object)))
			break;
	}
	return born;
}

bool series_thread(const struct series *series, size_t dump, const struct thread *thread,
                   uint32_t *before)
{
	uint64_t index;
	bool found = map_get(&series->threads[dump], thread->record.id, &index);
	*before = found ? (uint32_t)index : UINT32_MAX;
	return found;
}

/* Compares wait_since: a collection sets it when it first finds a thread waiting, and running
   clears it. */
bool series_thread_waits(const struct analysis *newer, size_t dump, uint32_t thread)
{
	const struct series *series = analysis_series(newer);
	const struct heap *heap = analysis_heap(newer);
	const struct thread *is = &heap->threads[thread];
	uint32_t before;
	if (!thread_waits(heap, is) || is->record.system || is->dumping
	    || !series_thread(series, dump, is, &before))
		return false;
	const struct heap *older = analysis_heap(series->older[dump]);
	const struct thread *was = &older->threads[before];
	bool ran = was->record.wait_since && was->record.wait_since != is->record.wait_since;
	return !ran && thread_waits(older, was) && was->frames == is->frames
	       && text_equal(was->record.wait_reason, is->record.wait_reason)
	       && was->record.sp == is->record.sp
	       && (!is->frames
	           || older->frames[was->first_frame].record.pc
	                  == heap->frames[is->first_frame].record.pc);
}

/* ---- Members of the series */

static struct map number_threads(const struct heap *heap)
{
	struct map numbers = {0};
	for (uint32_t g = 0; g < heap->thread_count; g++)
		map_put(&numbers, heap->threads[g].record.id, g);
	return numbers;
}

enum series_relation series_relation(const struct analysis *newer, const struct analysis *older,
                                     struct err *err)
{
	const struct heap *a = analysis_heap(older), *b = analysis_heap(newer);
	struct map numbers = number_threads(a);
	bool fits = series_fits(older, newer, &numbers, err);
	map_free(&numbers);
	if (fits && series_knows_objects(newer))
		return SERIES_PROCESS;
	return series_same_program(a, b) ? SERIES_PROGRAM : SERIES_OTHER_PROGRAM;
}

static struct series *series_make(struct analysis *newer)
{
	if (!newer->dump->series) {
		newer->dump->series = mem_alloc(sizeof *newer->dump->series);
		newer->dump->series->cache = series_cache_new();
	}
	return newer->dump->series;
}

void series_leave_out(struct analysis *newer, const char *why)
{
	buf_addf(&series_make(newer)->left_out, "%s.\n", why);
}

bool series_add(struct analysis *newer, struct analysis *older, struct err *err)
{
	struct map numbers = number_threads(analysis_heap(older));
	if (!series_fits(older, newer, &numbers, err)) {
		map_free(&numbers);
		return false;
	}
	struct series *s = series_make(newer);
	size_t capacity = s->capacity, at = s->count;
	s->older = mem_grow(s->older, s->count, &s->capacity, sizeof(struct analysis *));
	s->threads = mem_grow(s->threads, s->count, &capacity, sizeof *s->threads);
	for (; at > 0 && series_is_older(older, s->older[at - 1]); at--) {
		s->older[at] = s->older[at - 1];
		s->threads[at] = s->threads[at - 1];
	}
	s->older[at] = older;
	s->threads[at] = numbers;
	s->count++;
	if (series_differs_in_kind(newer, older))
		series_leave_out(newer, series_differs_in_kind(newer, older));
	struct err lacks = {0};
	if (!series_knows_reach(older, &lacks))
		series_leave_out(newer, lacks.text);
	return true;
}

bool series_follow(struct analysis *newer, struct analysis *old, bool keep, struct err *err)
{
	struct series *earlier = old->dump->series;
	struct err none = {0};
	if (keep && !series_add(newer, old, err))
		return false;
	old->dump->series = NULL;
	for (size_t i = 0; earlier && i < earlier->count; i++) {
		struct analysis *dump = earlier->older[i];
		if (!series_add(newer, dump, &none)) {
			series_leave_out(newer, none.text);
			analysis_free(dump);
		}
		map_free(&earlier->threads[i]);
	}
	if (earlier)
		earlier->count = 0;
	series_free(earlier);
	return true;
}

const struct series *analysis_series(const struct analysis *analysis)
{
	return analysis->dump->series && analysis->dump->series->count && !series_failure(analysis)
	           ? analysis->dump->series
	           : NULL;
}

const struct analysis *series_older(const struct analysis *newer, size_t i)
{
	return analysis_asked_as(newer->dump->series->older[i], newer);
}

void series_give_up(struct series *series, const struct err *err)
{
	series->err = *err;
	atomic_store_explicit(&series->failed, true, memory_order_release);
}

const char *series_failure(const struct analysis *analysis)
{
	const struct series *series = analysis->dump->series;
	bool failed = series && atomic_load_explicit(&series->failed, memory_order_acquire);
	return failed ? series->err.text : NULL;
}

const char *series_left_out(const struct analysis *analysis)
{
	return analysis->dump->series ? buf_text(&analysis->dump->series->left_out) : "";
}

void series_free(struct series *series)
{
	if (!series)
		return;
	buf_free(&series->left_out);
	series_cache_free(series->cache);
	for (size_t i = 0; i < series->count; i++) {
		analysis_free(series->older[i]);
		map_free(&series->threads[i]);
	}
	free(series->older);
	free(series->threads);
	free(series);
}
