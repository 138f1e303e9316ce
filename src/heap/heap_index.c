#include "heap/heap_index.h"

#include "heap/columns.h"

#include <string.h>

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

bool heap_read_index(struct heap *heap, const struct index_io *io)
{
	struct read_counts counts = {0};
	if (io->writer && !heap_index_whole(heap))
		return true;
	if (io->writer)
		counts = heap_index_counts(heap);
	if (!INDEX_VALUES(io, "objects/counts", INDEX_VALUE(counts))
	    || !objects_index(heap->objects, io)
	    || !INDEX_ARRAY(io, "objects/records", heap->index.entry, heap->index.count))
		return false;
	if (io->file) {
		heap->index.capacity = heap->index.count;
		heap->ghosts = counts.ghosts;
	}
	return true;
}

bool heap_read_fits(const struct heap *heap, struct index_file *file)
{
	const struct index_io io = {.file = file};
	struct read_counts counts, now = heap_index_counts(heap);
	return INDEX_VALUES(&io, "objects/counts", INDEX_VALUE(counts))
	       && memcmp(&counts, &now, sizeof now) == 0 && heap_index_whole(heap);
}

/* Writes or reads the offsets and the edges; reads both or neither. */
static bool heap_edges_index(const struct heap *heap, const char *name, struct starts *starts,
                             uint32_t **edges, const struct index_io *io)
{
	const struct index_io below = index_io_below(io, name);
	if (!starts_index(starts, heap_object_count(heap) + (size_t)1, &below))
		return false;
	if (INDEX_COLUMN(&below, "edges", *edges, heap->edge_count))
		return true;
	starts_fini(starts);
	*starts = (struct starts){0};
	return false;
}

bool heap_link_index(struct heap *heap, const struct index_io *io)
{
	struct heap_columns *c = heap->columns;
	bool done = INDEX_VALUES(io, "references/counts", INDEX_VALUE(heap->edge_count),
	                         INDEX_VALUE(heap->dangling_count))
	            && heap_edges_index(heap, "references", &c->starts, &c->target, io);
	if (io->file && done) {
		c->target_size = heap->edge_count * sizeof *c->target;
		heap_link_roots(heap);
	} else if (io->file) {
		heap->edge_count = heap->dangling_count = 0;
	}
	return done;
}

bool heap_reverse_index(struct heap *heap, const struct index_io *io)
{
	struct heap_columns *c = heap->columns;
	if (io->writer)
		heap_reverse(heap, NULL);
	c->source_size = heap->edge_count * sizeof *c->source;
	bool done = heap_edges_index(heap, "referrers", &c->back_starts, &c->source, io);
	atomic_store(&c->reversed, done);
	return done;
}
