/* Keeps the types of objects in an index, by their codes unless they have none. */
#include "go/types/propagate.h"

static bool typing_index_objects(struct typing *t, const struct index_io *io)
{
	if ((io->file || t->code) && INDEX_ARRAY(io, "coded", t->coded, t->codes)
	    && index_io_column(io, "code", &t->code, t->code_size))
		return true;
	return index_io_column(io, "object", &t->object, t->object_size);
}

bool typing_index(struct typing *t, const struct index_io *io)
{
	const struct index_io below = index_io_below(io, "typing");
	const struct index_io part_of = index_io_below(&below, "part_of");
	return typing_index_objects(t, &below)
	       && INDEX_VALUES(&below, "part_count", INDEX_VALUE(t->part_count))
	       && INDEX_COLUMN(&below, "parts", t->parts, t->part_count)
	       && sparse_index(&t->part_of, heap_object_count(t->heap), &part_of)
	       && goruntime_index(&t->runtime, io);
}

struct typing *typing_load(const struct heap *heap, struct gotypes *types,
                           struct typing_options options, const struct index_io *io)
{
	struct typing *t = typing_begin(heap, types, options);
	regions_init_others(&t->regions, heap);
	if (typing_index(t, io))
		return t;
	typing_free(t);
	return NULL;
}
