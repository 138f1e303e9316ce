/* Order of two dumps of one process in time, by data that both contain. */
#include "analysis/series.h"
#include "format/format.h"
#include "heap/heap.h"

enum { TOTAL_ALLOC = 1 }; /* index in the statistics: total bytes allocated */

/* Evidence for the time of a dump; 0: unknown. */
struct series_age {
	uint64_t time;        /* seconds since 1970, of a snapshot */
	uint64_t allocated;   /* bytes */
	uint64_t collections; /* collections that have begun to sweep, of a process */
	uint64_t thread;      /* the highest thread id */
	uint64_t id;          /* the number of the object made last, if numbers last */
	uint64_t wait;        /* the last time that a collection found a thread waiting */
};

/* Returns the greatest number that tells of time: see `lasting` in struct format. 0: none. */
static uint64_t series_last_id(const struct heap *heap)
{
	uint32_t id = heap_has(heap, PART_IDS) ? heap_object_count(heap) : 0;
	while (id > 0 && heap_address(heap, id - 1) % 2 == 0)
		id--;
	return id ? heap_address(heap, id - 1) : 0;
}

static struct series_age series_age(const struct analysis *analysis)
{
	const struct heap *heap = analysis_heap(analysis);
	const struct memstats_record *stats = &heap->memstats;
	const struct process_note *note = heap_snapshot(heap);
	struct series_age age = {
		.time = note ? note->time : 0,
		.collections = heap->params.sweep_generation,
		.id = series_last_id(heap),
		.wait = heap->latest_wait,
	};
	if (stats->present && !(stats->unknown >> TOTAL_ALLOC & 1))
		age.allocated = stats->field[TOTAL_ALLOC];
	for (uint32_t g = 0; g < heap->thread_count; g++)
		if (heap->threads[g].record.id > age.thread)
			age.thread = heap->threads[g].record.id;
	return age;
}

static int series_order(uint64_t a, uint64_t b)
{
	return !a || !b || a == b ? 0 : a < b ? -1 : 1;
}

/* Compares wait times. Without a collection in between, no new waits are recorded, and the times of
   threads that have run since are gone. */
static int series_order_waits(const struct series_age *a, const struct series_age *b)
{
	bool same = a->collections && a->collections == b->collections;
	return same ? series_order(b->wait, a->wait) : series_order(a->wait, b->wait);
}

/* Returns -1: `a` is older, 1: `b` is, 0: unknown. */
static int series_compare_ages(const struct analysis *of_a, const struct analysis *of_b)
{
	struct series_age a = series_age(of_a), b = series_age(of_b);
	bool alike = !a.allocated == !b.allocated;
	int order = series_order(a.time, b.time);
	order = order ? order : series_order(a.id, b.id);
	order = order ? order : series_order(a.allocated, b.allocated);
	order = order ? order : series_order(a.collections, b.collections);
	if (!order && a.collections && a.collections == b.collections)
		order = series_order(a.thread, b.thread);
	return order || !alike || a.allocated ? order : series_order_waits(&a, &b);
}

bool series_is_older(const struct analysis *a, const struct analysis *b)
{
	return series_compare_ages(a, b) < 0;
}

bool series_is_same(const struct analysis *a, const struct analysis *b)
{
	const struct heap *x = analysis_heap(a), *y = analysis_heap(b);
	struct series_age of_a = series_age(a), of_b = series_age(b);
	bool allocated = of_a.allocated && of_b.allocated;
	bool same = allocated ? of_a.allocated == of_b.allocated
	                      : !of_a.allocated == !of_b.allocated && of_a.wait == of_b.wait
	                            && !series_order(of_a.time, of_b.time);
	return same && x->memstats.present && y->memstats.present
	       && !series_order(of_a.collections, of_b.collections)
	       && x->memstats.num_gc == y->memstats.num_gc
	       && heap_object_count(x) == heap_object_count(y);
}

bool series_is_idle(const struct analysis *a, const struct analysis *b)
{
	return series_age(a).allocated && series_is_same(a, b);
}
