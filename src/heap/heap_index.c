#include "heap/heap_index.h"

#include "base/index_parts.h"
#include "base/mem.h"
#include "heap/columns.h"

#include <string.h>

struct link_counts {
	uint64_t edges, dangling;
};

/* Of what is told besides the objects, which shows that the dump is still what it was. */
struct read_counts {
	uint64_t ghosts, objects, records, goroutines, frames, segments, finalizers, itabs, types,
		otherroots;
};

static struct read_counts heap_index_counts(const struct heap *heap)
{
	return (struct read_counts){
		.ghosts = heap->ghosts,
		.objects = heap_object_count(heap),
		.records = heap->index.count,
		.goroutines = heap->goroutine_count,
		.frames = heap->frame_count,
		.segments = heap->segment_count,
		.finalizers = heap->finalizer_count,
		.itabs = heap->itab_count,
		.types = heap->type_count,
		.otherroots = heap->otherroot_count,
	};
}

/* Only what an intact dump of its own memory tells: all else has things to say of objects. */
static bool heap_index_whole(const struct heap *heap)
{
	return heap->complete && !heap->log && !heap->warning_count && !heap->losses
	       && !heap_has(heap, HAS_PROCESS);
}

void heap_read_save(const struct heap *heap, struct index_writer *writer)
{
	if (!heap_index_whole(heap))
		return;
	struct read_counts counts = heap_index_counts(heap);
	index_put_copy(writer, "objects/counts", &counts, sizeof counts);
	index_put(writer, "objects/records", heap->index.entry,
	          heap->index.count * sizeof *heap->index.entry);
	objects_save(heap->objects, writer);
}

bool heap_read_load(struct heap *heap, struct index_file *file)
{
	struct read_counts counts;
	if (!index_struct(file, "objects/counts", &counts, sizeof counts)
	    || !objects_load(heap->objects, file))
		return false;
	heap->index.entry =
		index_array(file, "objects/records", sizeof *heap->index.entry, &heap->index.count);
	heap->index.capacity = heap->index.count;
	heap->ghosts = counts.ghosts;
	return heap->index.entry != NULL;
}

bool heap_read_fits(const struct heap *heap, struct index_file *file)
{
	struct read_counts counts, now = heap_index_counts(heap);
	return index_struct(file, "objects/counts", &counts, sizeof counts)
	       && memcmp(&counts, &now, sizeof now) == 0 && heap_index_whole(heap);
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
