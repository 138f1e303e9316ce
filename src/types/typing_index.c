/* The types of objects in an index. */
#include "types/propagate.h"

#include "base/index_parts.h"

#include <stddef.h>

static const struct {
	const char *name;
	size_t at;
} typing_columns[] = {
	{"typing/type", offsetof(struct typing, type)},
	{"typing/count", offsetof(struct typing, count)},
	{"typing/first_part", offsetof(struct typing, first_part)},
};
enum { TYPING_COLUMNS = sizeof typing_columns / sizeof *typing_columns };

void typing_save(const struct typing *t, struct index_writer *writer)
{
	for (size_t i = 0; i < TYPING_COLUMNS; i++)
		index_put(writer, typing_columns[i].name,
		          *(uint32_t *const *)(const void *)((const char *)t + typing_columns[i].at),
		          t->object_size);
	index_put(writer, "typing/told", t->told, t->object_size / sizeof(uint32_t));
	index_put_padded(writer, "typing/parts", t->parts, t->part_count, sizeof *t->parts,
	                 offsetof(struct typed_part, source) + 1, sizeof *t->parts);
	regions_save(&t->regions, writer);
	goruntime_save(&t->runtime, writer);
}

static bool typing_load_columns(struct typing *t, struct index_file *file)
{
	for (size_t i = 0; i < TYPING_COLUMNS; i++) {
		uint32_t **column = (uint32_t **)(void *)((char *)t + typing_columns[i].at);
		*column = index_column(file, typing_columns[i].name, t->object_size);
		if (!*column)
			return false;
	}
	t->told = index_column(file, "typing/told", t->object_size / sizeof(uint32_t));
	t->parts = index_array(file, "typing/parts", sizeof *t->parts, &t->part_count);
	t->part_capacity = t->part_count;
	return t->told && t->parts;
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
