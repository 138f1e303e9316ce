/* Whether one dump is of the same process as another one, and from before: by its program, the
   collections and threads that it has counted, or the types of objects with numbers. */
#include "series_fit.h"

#include "format/format.h"
#include "heap/heap.h"

#include <inttypes.h>

bool series_same_program(const struct heap *a, const struct heap *b)
{
	if (a->params.layout.pointer_size != b->params.layout.pointer_size
	    || !text_equal(a->params.arch, b->params.arch)
	    || !text_equal(a->params.version, b->params.version)
	    || (a->complete && b->complete && a->segment_count != b->segment_count))
		return false;
	for (uint32_t i = 0; i < a->segment_count && i < b->segment_count; i++) /* one of them may be
	                                                                           truncated */
		if (a->segments[i].address != b->segments[i].address
		    || a->segments[i].size != b->segments[i].size)
			return false;
	return true;
}

/* Counts different pauses. The runtime stores the pauses of the last collections in a ring, by
   number. */
static uint32_t other_pauses(const struct memstats_record *older,
                             const struct memstats_record *newer)
{
	uint32_t differ = 0;
	if ((older->unknown | newer->unknown) & MEMSTATS_PAUSES_UNKNOWN)
		return 0;
	for (uint64_t n = 1; n <= older->num_gc && n <= MEMSTATS_PAUSES; n++) {
		uint64_t number = older->num_gc - n; /* from 0 */
		bool kept = number + MEMSTATS_PAUSES >= newer->num_gc;
		size_t at = number % MEMSTATS_PAUSES;
		differ += kept && older->pause_ns[at] != newer->pause_ns[at];
	}
	return differ;
}

/* Counts different threads: a thread keeps its id and its record for its lifetime. */
static uint32_t other_threads(const struct heap *older, const struct heap *newer,
                              const struct map *numbers)
{
	uint32_t differ = 0;
	for (uint32_t g = 0; g < newer->thread_count; g++) {
		uint64_t before;
		if (map_get(numbers, newer->threads[g].record.id, &before))
			differ += older->threads[before].record.address != newer->threads[g].record.address
			          || older->threads[before].record.creator_pc
			                 != newer->threads[g].record.creator_pc;
	}
	return differ;
}

static bool series_knows_collections(const struct heap *heap)
{
	return heap->memstats.present && !(heap->memstats.unknown & MEMSTATS_PAUSES_UNKNOWN);
}

static bool series_is_written_before(const struct analysis *older, const struct analysis *newer,
                                     struct err *err)
{
	return !series_is_older(newer, older)
	       || err_set(err, "%.200s is not from before: it was written after the other one",
	                  analysis_path(older));
}

/* Returns true if one listed object may have had both types: those of one name, and two kinds such
   as (concatenated string), since a text that was put together may become one piece. */
static bool series_types_fit(const struct heap *a, uint32_t of_a, const struct heap *b,
                             uint32_t of_b)
{
	struct text was = a->told_types[heap_type(a, of_a)].name;
	struct text is = b->told_types[heap_type(b, of_b)].name;
	bool kinds = was.len && is.len && *was.data == '(' && *is.data == '(';
	return kinds || text_equal(was, is);
}

/* Decides by the types of objects with one number in both: nothing else tells of which process a
   file is. */
static bool series_ids_fit(const struct analysis *older, const struct analysis *newer,
                           struct err *err)
{
	enum { OTHERS = 1000 }; /* in one of so many at most: of one process no other was met */
	const struct heap *a = analysis_heap(older), *b = analysis_heap(newer);
	uint32_t both = 0, others = 0;
	for (uint32_t id = 0; id < heap_object_count(b); id++) {
		uint32_t before = heap_find(a, heap_address(b, id));
		both += before != OBJECT_NONE;
		others += before != OBJECT_NONE && !series_types_fit(a, before, b, id);
	}
	if (a->complete && b->complete && !a->losses && !b->losses && others > both / OTHERS)
		return err_set(err,
		               "%.200s is of another process: %" PRIu32 " of %" PRIu32
		               " objects with numbers that both have are of another type in it",
		               analysis_path(older), others, both);
	return series_is_written_before(older, newer, err);
}

bool series_fits(const struct analysis *older, const struct analysis *newer,
                 const struct map *numbers, struct err *err)
{
	const struct heap *a = analysis_heap(older), *b = analysis_heap(newer);
	const char *name = analysis_path(older);
	if (a->format == b->format && heap_has(a, PART_IDS))
		return series_ids_fit(older, newer, err);
	if (a->format == b->format && !heap_has(a, PART_MEMORY) && heap_has(a, PART_OBJECTS))
		return true; /* it does not record its process */
	if (!heap_has(a, PART_GO | PART_MEMORY) || !heap_has(b, PART_GO | PART_MEMORY))
		return err_set(err,
		               "%.200s cannot be compared with this file: a dump of a Go program is "
		               "compared with another one of it, a GC log with a GC log",
		               name);
	if (!series_same_program(a, b))
		return err_set(err,
		               "%.200s is of another program: its version of Go or the places of its "
		               "variables differ",
		               name);
	if (series_knows_collections(a) && series_knows_collections(b)
	    && a->memstats.num_gc > b->memstats.num_gc)
		return err_set(err,
		               "%.200s is not from before: it has counted %" PRIu64
		               " collections, the other one %" PRIu64,
		               name, a->memstats.num_gc, b->memstats.num_gc);
	if (!series_is_written_before(older, newer, err))
		return false;
	uint32_t pauses =
		a->memstats.present && b->memstats.present ? other_pauses(&a->memstats, &b->memstats) : 0;
	if (pauses)
		return err_set(err,
		               pauses == 1 ? "%.200s is of another process: %" PRIu32
		                             " collection had another pause in it"
		                           : "%.200s is of another process: %" PRIu32
		                             " collections had other pauses in it",
		               name, pauses);
	uint32_t threads = other_threads(a, b, numbers);
	return !threads
	       || err_set(err,
	                  threads == 1 ? "%.200s is of another process: %" PRIu32
	                                 " %s of the same number is another one in it"
	                               : "%.200s is of another process: %" PRIu32
	                                 " %s of the same numbers are others in it",
	                  name, threads, threads == 1 ? heap_words(b)->thread : heap_words(b)->threads);
}
