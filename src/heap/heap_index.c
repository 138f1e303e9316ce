#include "heap/heap_index.h"

#include "base/index_parts.h"
#include "base/mem.h"
#include "heap/columns.h"

#include <string.h>

struct link_counts {
	uint64_t edges, dangling;
};

/* Counts of records, which verify that the dump is unchanged. */
struct read_counts {
	uint64_t ghosts, objects, records, threads, frames, segments, finalizers, itabs, types,
		otherroots;
};

static struct read_counts heap_index_counts(const struct heap *heap)
{
	return (struct read_counts){
		.ghosts = heap->ghosts,
		.objects = heap_object_count(heap),
		.records = heap->index.count,
		.threads = heap->thread_count,
		.frames = heap->frame_count,
		.segments = heap->segment_count,
		.finalizers = heap->finalizer_count,
		.itabs = heap->itab_count,
		.types = heap->type_count,
		.otherroots = heap->otherroot_count,
	};
}

/* Returns true for a complete heap dump without warnings: in other cases reading the objects has
   effects besides the table. */
static bool heap_index_whole(const struct heap *heap)
{
	return heap->complete && !heap->log && !heap->warning_count && !heap->losses
	       && !heap_has(heap, PART_PROCESS);
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

static size_t heap_starts(const struct heap *heap)
{
	return heap_object_count(heap) + (size_t)1;
}

void heap_link_save(const struct heap *heap, struct index_writer *writer)
{
	const struct heap_columns *c = heap->columns;
	struct link_counts counts = {heap->edge_count, heap->dangling_count};
	index_put_copy(writer, "references/counts", &counts, sizeof counts);
	starts_save(&c->starts, "references", writer);
	index_put_column(writer, "references/to", c->target, heap->edge_count * sizeof *c->target);
}

void heap_reverse_save(const struct heap *heap, struct index_writer *writer)
{
	const struct heap_columns *c = heap->columns;
	starts_save(&c->back_starts, "referrers", writer);
	index_put_column(writer, "referrers/from", c->source, heap->edge_count * sizeof *c->source);
}

/* Loads the offsets and the edges, or neither. */
static uint32_t *heap_load_edges(const struct heap *heap, struct index_file *file,
                                 const char *starts_name, struct starts *starts, const char *name,
                                 size_t size)
{
	if (!starts_load(starts, heap_starts(heap), starts_name, file))
		return NULL;
	uint32_t *edges = index_column(file, name, size);
	if (edges)
		return edges;
	starts_fini(starts);
	*starts = (struct starts){0};
	return NULL;
}

bool heap_link_load(struct heap *heap, struct index_file *file)
{
	struct heap_columns *c = heap->columns;
	uint64_t size;
	const struct link_counts *counts = index_get(file, "references/counts", &size);
	if (!counts || size != sizeof *counts)
		return false;
	c->target_size = counts->edges * sizeof *c->target;
	c->target =
		heap_load_edges(heap, file, "references", &c->starts, "references/to", c->target_size);
	if (!c->target)
		return false;
	heap->edge_count = counts->edges;
	heap->dangling_count = counts->dangling;
	heap_link_roots(heap);
	return true;
}

bool heap_reverse_load(struct heap *heap, struct index_file *file)
{
	struct heap_columns *c = heap->columns;
	c->source_size = heap->edge_count * sizeof *c->source;
	c->source =
		heap_load_edges(heap, file, "referrers", &c->back_starts, "referrers/from", c->source_size);
	return c->source != NULL;
}
