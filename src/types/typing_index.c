/* Saves and loads the types of objects in an index. */
#include "types/propagate.h"

#include "base/index_parts.h"

void typing_save(const struct typing *t, struct index_writer *writer)
{
	index_put_column(writer, "typing/object", t->object, t->object_size);
	sparse_save(&t->part_of, "typing/part_of", writer);
	index_put_column(writer, "typing/parts", t->parts, t->part_count * sizeof *t->parts);
	regions_save(&t->regions, writer);
	goruntime_save(&t->runtime, writer);
}

static bool typing_load_columns(struct typing *t, struct index_file *file)
{
	t->object = index_column(file, "typing/object", t->object_size);
	t->parts = index_column_array(file, "typing/parts", sizeof *t->parts, &t->part_count);
	return t->object && t->parts
	       && sparse_load(&t->part_of, heap_object_count(t->heap), "typing/part_of", file);
}

struct typing *typing_load(const struct heap *heap, struct gotypes *types,
                           struct typing_options options, struct index_file *file)
{
	struct typing *t = typing_begin(heap, types, options);
	if (typing_load_columns(t, file) && goruntime_load(&t->runtime, file)
	    && regions_load(&t->regions, heap, file))
		return t;
	typing_free(t);
	return NULL;
}
