#include "heap/heap_index.h"

#include "base/mem.h"
#include "heap/columns.h"

struct link_counts {
	uint64_t edges, dangling;
};

/* Every object is in a run: where they are, how large, and where their records stand. */
struct index_key heap_index_key(const struct heap *heap, struct index_key key)
{
	struct objects_run_view run;
	const uint64_t counts[] = {
		heap_object_count(heap),
		objects_bytes(heap->objects),
		heap->goroutine_count,
		heap->frame_count,
		heap->segment_count,
		heap->finalizer_count,
		heap->itab_count,
		heap->type_count,
		heap->otherroot_count,
		heap->losses,
		heap->ghosts,
		heap->index.count,
	};
	key = index_key_add(key, counts, sizeof counts);
	for (size_t r = 0; r < objects_run_count(heap->objects); r++) {
		objects_run(heap->objects, r, &run);
		struct object_place last;
		objects_place(heap->objects, run.first + run.count - 1, &last);
		const uint64_t words[] = {run.slot,   run.size,  run.offset, run.stored,
		                          run.header, run.count, last.slot};
		key = index_key_add(key, words, sizeof words);
	}
	return key;
}

static uint64_t heap_row_size(const struct heap *heap)
{
	return (heap_object_count(heap) + 1ULL) * sizeof(uint32_t);
}

void heap_link_save(const struct heap *heap, struct index_writer *writer)
{
	const struct heap_columns *c = heap->columns;
	struct link_counts counts = {heap->edge_count, heap->dangling_count};
	index_put_copy(writer, "references/counts", &counts, sizeof counts);
	index_put(writer, "references/row", c->row, heap_row_size(heap));
	index_put(writer, "references/to", c->target, heap->edge_count * sizeof *c->target);
}

void heap_reverse_save(const struct heap *heap, struct index_writer *writer)
{
	const struct heap_columns *c = heap->columns;
	index_put(writer, "referrers/row", c->back_row, heap_row_size(heap));
	index_put(writer, "referrers/from", c->source, heap->edge_count * sizeof *c->source);
}

/* Both columns or none. */
static bool heap_load_pair(struct index_file *file, const char *row_name, size_t row_size,
                           const char *name, size_t size, uint32_t *pair[2])
{
	pair[0] = index_column(file, row_name, row_size);
	pair[1] = pair[0] ? index_column(file, name, size) : NULL;
	if (pair[1])
		return true;
	mem_column_free(pair[0], row_size);
	return false;
}

bool heap_link_load(struct heap *heap, struct index_file *file)
{
	struct heap_columns *c = heap->columns;
	uint64_t size, row_size = heap_row_size(heap);
	uint32_t *pair[2];
	const struct link_counts *counts = index_get(file, "references/counts", &size);
	if (!counts || size != sizeof *counts
	    || !heap_load_pair(file, "references/row", row_size, "references/to",
	                       counts->edges * sizeof(uint32_t), pair))
		return false;
	heap->edge_count = counts->edges;
	heap->dangling_count = counts->dangling;
	c->row_size = row_size;
	c->target_size = counts->edges * sizeof *c->target;
	c->row = pair[0];
	c->target = pair[1];
	heap_link_roots(heap);
	return true;
}

bool heap_reverse_load(struct heap *heap, struct index_file *file)
{
	struct heap_columns *c = heap->columns;
	size_t size = heap->edge_count * sizeof *c->source;
	uint32_t *pair[2];
	if (!heap_load_pair(file, "referrers/row", c->row_size, "referrers/from", size, pair))
		return false;
	c->source_size = size;
	c->back_row = pair[0];
	c->source = pair[1];
	return true;
}
