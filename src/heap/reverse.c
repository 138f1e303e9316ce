/* heap_reverse: builds the backward edges from the forward ones. Many commands never ask for any,
   so they are built by the first question, unless somebody did before. */
#include "heap/columns.h"

#include "base/mem.h"
#include "heap/edges.h"

enum { STEP = 1 << 14 };

/* Counting sort of the edges by target. Its writes are random, so they are prefetched. */
enum { AHEAD_ROW = 24, AHEAD_SOURCE = 12 };

static void count_referrers(const struct heap *heap, uint32_t *row)
{
	const struct heap_columns *c = heap->columns;
	uint64_t edges = heap->edge_count;
	for (uint64_t e = 0; e < edges; e++) {
		if (e + AHEAD_ROW < edges)
			__builtin_prefetch(&row[c->target[e + AHEAD_ROW]], 1);
		row[c->target[e]]++;
	}
	uint32_t total = 0;
	for (uint32_t id = 0; id < heap_object_count(heap); id++) {
		total += row[id];
		row[id] = total; /* end of its referrers; placing them turns it into their start */
	}
	row[heap_object_count(heap)] = total;
}

/* Places the referrers in reverse order, so that those of an object are ascending. Returns false if
   cancelled. */
static bool place_referrers(const struct heap *heap, uint32_t *row, struct progress *progress)
{
	const struct heap_columns *c = heap->columns;
	uint32_t count = heap_object_count(heap);
	uint64_t e = heap->edge_count;
	for (uint32_t id = count; id-- > 0;) {
		for (uint32_t first = starts_at(&c->starts, id); e > first; e--) {
			if (e > AHEAD_ROW)
				__builtin_prefetch(&row[c->target[e - 1 - AHEAD_ROW]], 1);
			if (e > AHEAD_SOURCE)
				__builtin_prefetch(&c->source[row[c->target[e - 1 - AHEAD_SOURCE]] - 1], 1);
			c->source[--row[c->target[e - 1]]] = id;
		}
		if (id % STEP == 0 && !progress_step(progress, count - id))
			return false;
	}
	return true;
}

static bool make_referrers(const struct heap *heap, struct progress *progress)
{
	struct heap_columns *c = heap->columns;
	size_t count = heap_object_count(heap) + (size_t)1;
	uint32_t *row = mem_column(count * sizeof *row);
	struct starts_maker starts;
	progress_begin(progress, "finding referrers", heap_object_count(heap));
	c->source_size = heap->edge_count * sizeof *c->source;
	c->source = mem_column(c->source_size);
	count_referrers(heap, row);
	bool done = place_referrers(heap, row, progress);
	if (done) {
		starts_begin(&starts, count);
		for (size_t i = 0; i < count; i++)
			starts_put(&starts, row[i]);
		c->back_starts = starts_end(&starts);
	} else {
		mem_column_free(c->source, c->source_size);
		c->source = NULL;
	}
	mem_column_recycle(row, count * sizeof *row);
	return done;
}

bool heap_reverse(const struct heap *heap, struct progress *progress)
{
	struct heap_columns *c = heap->columns;
	pthread_mutex_lock(&c->reversing);
	bool done = atomic_load(&c->reversed) || make_referrers(heap, progress);
	atomic_store(&c->reversed, done);
	pthread_mutex_unlock(&c->reversing);
	return done;
}

struct edges heap_back_edges(const struct heap *heap)
{
	const struct heap_columns *c = heap->columns;
	if (!atomic_load_explicit(&c->reversed, memory_order_acquire))
		heap_reverse(heap, NULL);
	return (struct edges){&c->back_starts, c->source};
}

struct ids heap_referrers(const struct heap *heap, uint32_t id)
{
	return edges_of(heap_back_edges(heap), id);
}
