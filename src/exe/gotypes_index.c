/* Saves and loads the types of an executable in an index. */
#include "base/index_parts.h"
#include "base/mem.h"
#include "universe.h"

#include <stdlib.h>
#include <string.h>

/* State that does not follow from the executable. */
struct gotypes_numbers {
	uint64_t count, field_count, checked, name_bytes, named;
	uint64_t lost[DEBUG_PARTS];
};

/* ---- Names: offset in one text, plus 1; 0: no name */

struct names_kept {
	struct buf text;
	struct map known; /* address -> offset plus 1 */
};

static const char *names_place(struct names_kept *kept, const char *name)
{
	uint64_t place = 0, key = (uintptr_t)name;
	if (name && !map_get(&kept->known, key, &place)) {
		place = kept->text.len + 1;
		buf_add_bytes(&kept->text, name, strlen(name) + 1);
		map_put(&kept->known, key, place);
	}
	return (const char *)(uintptr_t)place;
}

static const char *names_at(const char *text, const char *place)
{
	return place ? text + (uintptr_t)place - 1 : NULL;
}

/* ---- Maps */

static const struct {
	const char *name;
	size_t at;
} gotypes_maps[] = {
	{"types/by_die", offsetof(struct gotypes, by_die)},
	{"types/by_rtype", offsetof(struct gotypes, by_rtype)},
	{"types/slots", offsetof(struct gotypes, slots)},
	{"types/channels", offsetof(struct gotypes, channels)},
	{"types/rows", offsetof(struct gotypes, rows)},
	{"types/closures", offsetof(struct gotypes, closures)},
	{"types/by_name", offsetof(struct gotypes, by_name)},
};
enum { GOTYPES_MAPS = sizeof gotypes_maps / sizeof *gotypes_maps };

static void gotypes_save_maps(const struct gotypes *types, struct index_writer *writer)
{
	for (size_t i = 0; i < GOTYPES_MAPS; i++)
		index_put_map(writer, gotypes_maps[i].name,
		              (const void *)((const char *)types + gotypes_maps[i].at));
}

static bool gotypes_load_maps(struct gotypes *types, struct index_file *file)
{
	for (size_t i = 0; i < GOTYPES_MAPS; i++)
		if (!index_map_into(file, gotypes_maps[i].name,
		                    (void *)((char *)types + gotypes_maps[i].at)))
			return false;
	return true;
}

/* ---- Types */

static void gotypes_save_columns(const struct gotypes *types, struct index_writer *writer)
{
	struct names_kept kept = {0};
	size_t type_bytes = (types->count + 1UL) * sizeof *types->types;
	size_t field_bytes = types->field_count * sizeof *types->fields;
	struct gotype *type = mem_alloc(type_bytes);
	struct gofield *field = mem_alloc(field_bytes);
	memcpy(type, types->types, type_bytes);
	for (uint32_t i = 0; i <= types->count; i++)
		type[i].name = names_place(&kept, type[i].name);
	for (uint32_t i = 0; i < types->field_count; i++) { /* padding stays 0 */
		field[i].name = names_place(&kept, types->fields[i].name);
		field[i].offset = types->fields[i].offset;
		field[i].type = types->fields[i].type;
		field[i].embedded = types->fields[i].embedded;
	}
	index_put_copy(writer, "types/types", type, type_bytes);
	index_put_copy(writer, "types/fields", field, field_bytes);
	index_put_copy(writer, "types/names", kept.text.data, kept.text.len);
	free(type);
	free(field);
	buf_free(&kept.text);
	map_free(&kept.known);
}

void gotypes_save(const struct gotypes *types, struct index_writer *writer)
{
	struct gotypes_numbers numbers = {.count = types->count,
	                                  .field_count = types->field_count,
	                                  .checked = types->checked,
	                                  .name_bytes = types->name_bytes,
	                                  .named = types->named};
	if (!types->complete)
		return;
	memcpy(numbers.lost, types->settled, sizeof numbers.lost);
	index_put_copy(writer, "types/numbers", &numbers, sizeof numbers);
	gotypes_save_columns(types, writer);
	gotypes_save_maps(types, writer);
}

static bool gotypes_load_columns(struct gotypes *types, struct index_file *file)
{
	size_t size, type_bytes = (types->count + 1UL) * sizeof *types->types;
	size_t field_bytes = types->field_count * sizeof *types->fields;
	char *text = index_array(file, "types/names", 1, &size);
	if (!text)
		return false;
	types->names =
		mem_grow(types->names, types->name_count, &types->name_capacity, sizeof *types->names);
	types->names[types->name_count++] = text;
	if (!index_struct(file, "types/types", types->types, type_bytes)
	    || !index_struct(file, "types/fields", types->fields, field_bytes))
		return false;
	for (uint32_t i = 0; i <= types->count; i++)
		types->types[i].name = names_at(text, types->types[i].name);
	for (uint32_t i = 0; i < types->field_count; i++)
		types->fields[i].name = names_at(text, types->fields[i].name);
	return true;
}

bool gotypes_load(struct gotypes *types, struct index_file *file)
{
	struct gotypes_numbers numbers;
	if (!index_struct(file, "types/numbers", &numbers, sizeof numbers) || numbers.count >= MAX_TYPES
	    || numbers.field_count > MAX_FIELDS)
		return false;
	types->count = (uint32_t)numbers.count;
	types->field_count = (uint32_t)numbers.field_count;
	types->checked = (uint32_t)numbers.checked;
	types->name_bytes = numbers.name_bytes;
	types->named = numbers.named;
	types->complete = true;
	memcpy(types->settled, numbers.lost, sizeof types->settled);
	memcpy(types->damage.lost, numbers.lost, sizeof types->damage.lost);
	return gotypes_load_columns(types, file) && gotypes_load_maps(types, file);
}
