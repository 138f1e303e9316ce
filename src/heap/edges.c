/* heap_link and heap_reverse: the graph. Edges are found by decoding the objects a second time, in
   the order of their addresses, so that no list of raw pointers has to be kept in between. */
#include "heap/columns.h"

#include "base/mem.h"

enum { STEP = 1 << 14 };

static const char too_many[] = "The dump has more than 4,294,967,295 pointers between objects; "
							   "goheapx cannot number them";

void columns_find_bounds(struct heap *heap)
{
	size_t runs = objects_run_count(heap->objects);
	struct objects_run_view first, last;
	struct object_place end;
	if (runs == 0)
		return;
	objects_run(heap->objects, 0, &first);
	objects_run(heap->objects, runs - 1, &last);
	objects_place(heap->objects, last.first + last.count - 1, &end);
	heap->columns->low = first.slot;
	heap->columns->span = end.slot + end.size - first.slot;
}

/* A pointer takes two bytes of its record at least: an upper bound that is only address space until
   it is written. */
static uint64_t most_edges(const struct heap *heap)
{
	return heap->input->size / 2 + 1;
}

/* Pointers on their way: found object by object, resolved many at once. */
enum { POINTERS = 512 };

struct batch {
	uint64_t address[POINTERS];
	uint32_t owner[POINTERS], target[POINTERS];
	size_t count;
	struct starts_maker starts; /* those of all objects before the next one have been put */
};

static void put_starts(const struct heap *heap, struct batch *batch, uint32_t end)
{
	while (batch->starts.next < end)
		starts_put(&batch->starts, (uint32_t)heap->edge_count);
}

static bool edges_resolve(struct heap *heap, struct batch *batch)
{
	if (heap->edge_count > UINT32_MAX - POINTERS)
		return false;
	objects_find_many(heap->objects, batch->address, batch->target, batch->count);
	for (size_t i = 0; i < batch->count; i++) {
		put_starts(heap, batch, batch->owner[i] + 1);
		if (batch->target[i] < OBJECT_FREE)
			heap->columns->target[heap->edge_count++] = batch->target[i];
		else if (batch->target[i] == OBJECT_FREE)
			heap->dangling_count++;
	}
	batch->count = 0;
	return true;
}

static bool edges_collect(struct heap *heap, struct batch *batch,
                          const struct object_record *record, uint32_t owner)
{
	const struct layout *layout = &heap->params.layout;
	struct fields fields = record->fields;
	uint64_t offset;
	while (fields_next(&fields, &offset)) {
		if (record->stored < layout->pointer_size || offset > record->stored - layout->pointer_size)
			continue;
		uint64_t address = layout_word(layout, record->data + offset);
		if (!columns_may_find(heap, address))
			continue;
		if (batch->count == POINTERS && !edges_resolve(heap, batch))
			return false;
		batch->owner[batch->count] = owner;
		batch->address[batch->count++] = address;
	}
	return true;
}

/* The objects of one run. Should the file have changed under us, the rest of the run has no
   edges. */
static bool link_run(struct heap *heap, struct batch *batch, const struct objects_run_view *run)
{
	struct object_record record;
	for (uint32_t i = 0; i < run->count; i++) {
		if (!format_row(heap->format, heap->reader, i ? 0 : run->offset, &record))
			return true;
		if (!edges_collect(heap, batch, &record, run->first + i))
			return false;
	}
	return true;
}

/* Runs stand anywhere in the file: the first bytes of the next one are asked for ahead. */
static void prefetch_run(const struct heap *heap, size_t run)
{
	struct objects_run_view next;
	if (run >= objects_run_count(heap->objects))
		return;
	objects_run(heap->objects, run, &next);
	for (uint64_t at = next.offset; at < next.offset + 512 && at < heap->input->size; at += 64)
		__builtin_prefetch(heap->input->data + at);
}

static bool link_runs(struct heap *heap, struct batch *batch, struct progress *progress,
                      struct err *err)
{
	struct objects_run_view run;
	for (size_t r = 0; r < objects_run_count(heap->objects); r++) {
		objects_run(heap->objects, r, &run);
		prefetch_run(heap, r + 1);
		if (!link_run(heap, batch, &run))
			return err_set(err, too_many);
		if (!progress_step(progress, run.first))
			return false;
	}
	return edges_resolve(heap, batch) || err_set(err, too_many);
}

bool heap_link(struct heap *heap, struct progress *progress, struct err *err)
{
	struct heap_columns *c = heap->columns;
	uint32_t count = heap_object_count(heap);
	struct batch batch = {.count = 0};
	if (heap->log)
		return heap_link_log(heap, progress, err);
	starts_begin(&batch.starts, count + 1ULL);
	c->target_size = most_edges(heap) * sizeof *c->target;
	c->target = mem_column_most(c->target_size);
	progress_begin(progress, "resolving references", count);
	bool done = link_runs(heap, &batch, progress, err);
	put_starts(heap, &batch, count + 1);
	c->starts = starts_end(&batch.starts);
	mem_column_trim(c->target, heap->edge_count * sizeof *c->target, c->target_size);
	if (done)
		heap_link_roots(heap);
	return done;
}

/* A counting sort of the edges by target. Its writes go anywhere, so they are asked for ahead. */
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
		row[id] = total; /* the end of its referrers; placing them makes it their start */
	}
	row[heap_object_count(heap)] = total;
}

/* Backwards, so that the referrers of an object come out ascending. */
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

bool heap_reverse(struct heap *heap, struct progress *progress)
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
	starts_begin(&starts, count);
	for (size_t i = 0; i < count; i++)
		starts_put(&starts, row[i]);
	c->back_starts = starts_end(&starts);
	mem_column_recycle(row, count * sizeof *row);
	return done;
}
