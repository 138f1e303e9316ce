/* Keeps the types of objects in an index. */
#include "types/propagate.h"

bool typing_index(struct typing *t, const struct index_io *io)
{
	const struct index_io below = index_io_below(io, "typing");
	const struct index_io part_of = index_io_below(&below, "part_of");
	return index_io_column(&below, "object", &t->object, t->object_size)
	       && INDEX_VALUES(&below, "part_count", INDEX_VALUE(t->part_count))
	       && INDEX_COLUMN(&below, "parts", t->parts, t->part_count)
	       && sparse_index(&t->part_of, heap_object_count(t->heap), &part_of)
	       && goruntime_index(&t->runtime, io) && regions_index(&t->regions, t->heap, io);
}

struct typing *typing_load(const struct heap *heap, struct gotypes *types,
                           struct typing_options options, const struct index_io *io)
{
	struct typing *t = typing_begin(heap, types, options);
	if (typing_index(t, io))
		return t;
	typing_free(t);
	return NULL;
}
