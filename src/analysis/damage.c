#include "analysis/damage.h"

#include "format/format.h"
#include "heap/heap.h"
#include "heap/object_ids.h"

bool damage_has_roots(const struct heap *heap)
{
	if (heap->log && heap->complete && !heap_object_count(heap))
		return true; /* a section without objects needs no roots */
	return heap->segment_count || heap->thread_count || heap->finalizer_count
	       || heap->otherroot_count || heap->foundroot_count || heap->log_root_count;
}

/* Sections of a Go dump, in order. */
enum place {
	PLACE_OBJECTS,
	PLACE_THREADS,
	PLACE_OS_THREADS,
	PLACE_GLOBALS,
	PLACE_FINALIZERS,
	PLACE_STATISTICS,
	PLACE_PROFILE,
	PLACE_SAMPLES,
	PLACES
};
static const struct {
	enum place last; /* the last section that can contain it */
	const char *name;
} places[] = {
	[DAMAGE_OBJECTS] = {PLACE_OBJECTS, "objects"},
	[DAMAGE_TYPES] = {PLACE_THREADS, "types"},
	[DAMAGE_THREADS] = {PLACE_THREADS, NULL},
	[DAMAGE_OS_THREADS] = {PLACE_OS_THREADS, "threads"},
	[DAMAGE_GLOBALS] = {PLACE_GLOBALS, "global variables"},
	[DAMAGE_FINALIZERS] = {PLACE_FINALIZERS, "finalizers"},
	[DAMAGE_ROOTS] = {PLACE_FINALIZERS, "roots"},
	[DAMAGE_STATISTICS] = {PLACE_STATISTICS, "statistics"},
	[DAMAGE_PROFILE] = {PLACE_PROFILE, "allocation profile"},
	[DAMAGE_SAMPLES] = {PLACE_SAMPLES, "allocation profile"},
};

/* Returns the last section that the dump contains. */
static enum place reached(const struct heap *heap)
{
	const uint64_t counts[PLACES] = {
		[PLACE_THREADS] = heap->thread_count,
		[PLACE_OS_THREADS] = heap->os_thread_count,
		[PLACE_GLOBALS] = heap->segment_count + heap->foundroot_count,
		[PLACE_FINALIZERS] = heap->finalizer_count + heap->otherroot_count,
		[PLACE_STATISTICS] = heap->memstats.present,
		[PLACE_PROFILE] = heap->profiles.count,
		[PLACE_SAMPLES] = heap->profiles.sample_count,
	};
	enum place place = heap->complete ? PLACES : PLACES - 1;
	while (place < PLACES && place > PLACE_OBJECTS && !counts[place])
		place--;
	return place;
}

bool damage_doubt(const struct heap *heap, enum damage_part part, struct buf *out)
{
	enum place last = places[part].last, end = reached(heap);
	if (!heap->complete && !heap_has(heap, PART_GO))
		buf_add(out, "The file is cut, so that there may have been some");
	else if (!heap->complete && end <= last)
		buf_addf(out, "The dump is cut before the end of its %s, so that there may have been some",
		         places[part].name ? places[part].name : heap_words(heap)->threads);
	else if (heap->losses)
		buf_add(out,
		        "The file is damaged, so that there may have been some: see the table warnings");
	else
		return false;
	return true;
}

const char *damage_meaning(const struct heap *heap, size_t k)
{
	bool go = heap_has(heap, PART_GO), roots = damage_has_roots(heap);
	bool globals = heap->segment_count || heap->foundroot_count;
	bool statistics = heap->complete || heap->memstats.present;
	/* In this order: threads, global variables, finalizers, statistics. */
	const struct {
		bool holds;
		const char *text;
	} meanings[] = {
		{heap_has(heap, PART_OBJECTS) && !roots,
	     "There are no roots in the dump: what is alive cannot be told. Only its objects are "
	     "known."},
		{heap_words(heap)->thread && roots && !heap->thread_count,
	     "The " THREADS_WORD
	     " are missing: objects that only their stacks keep alive seem unreachable."},
		{go && roots && !globals,
	     "The global variables are missing: objects that only they keep alive seem unreachable."},
		{!statistics && heap->segment_count,
	     "Finalizers may be missing: objects that only they keep alive seem unreachable."},
		{go && !statistics, "The statistics of the runtime are missing."},
		{go && !heap->complete, "Records of the allocation profile may be missing."},
	};
	for (size_t i = 0; i < sizeof meanings / sizeof *meanings; i++)
		if (meanings[i].holds && k-- == 0)
			return meanings[i].text;
	return NULL;
}
