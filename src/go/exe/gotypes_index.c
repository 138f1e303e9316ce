/* Saves and loads the types of an executable in an index. */
#include "base/mem.h"
#include "universe.h"

#include <stdlib.h>
#include <string.h>

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

static bool gotypes_index_maps(struct gotypes *types, const struct index_io *io)
{
	for (size_t i = 0; i < GOTYPES_MAPS; i++)
		if (!index_io_map(io, gotypes_maps[i].name, (void *)((char *)types + gotypes_maps[i].at)))
			return false;
	return true;
}

/* ---- Types */

/* Returns copies of the types and fields whose names are places in one text. */
static void gotypes_copy(const struct gotypes *types, struct names_kept *kept, struct gotype *type,
                         struct gofield *field)
{
	memcpy(type, types->types, (types->count + 1UL) * sizeof *type);
	for (uint32_t i = 0; i <= types->count; i++)
		type[i].name = names_place(kept, type[i].name);
	for (uint32_t i = 0; i < types->field_count; i++) { /* padding stays 0 */
		field[i].name = names_place(kept, types->fields[i].name);
		field[i].offset = types->fields[i].offset;
		field[i].type = types->fields[i].type;
		field[i].embedded = types->fields[i].embedded;
	}
}

static bool gotypes_index_columns(struct gotypes *types, const struct index_io *io)
{
	struct names_kept kept = {0};
	size_t type_bytes = (types->count + 1UL) * sizeof *types->types;
	size_t field_bytes = types->field_count * sizeof *types->fields;
	struct gotype *type = io->writer ? mem_alloc(type_bytes) : types->types;
	struct gofield *field = io->writer ? mem_alloc(field_bytes) : types->fields;
	if (io->writer)
		gotypes_copy(types, &kept, type, field);
	bool done = INDEX_VALUES(io, "types/columns", {type, type_bytes}, {field, field_bytes})
	            && index_io_buf(io, "types/names", &kept.text);
	if (io->writer) {
		free(type);
		free(field);
		buf_free(&kept.text);
		map_free(&kept.known);
		return true;
	}
	MEM_PUSH(types->names, types->name_count, types->name_capacity, kept.text.data);
	for (uint32_t i = 0; done && i <= types->count; i++)
		type[i].name = names_at(kept.text.data, type[i].name);
	for (uint32_t i = 0; done && i < types->field_count; i++)
		field[i].name = names_at(kept.text.data, field[i].name);
	return done;
}

bool gotypes_index(struct gotypes *types, const struct index_io *io)
{
	if (io->writer && !types->complete)
		return true;
	if (!INDEX_VALUES(io, "types/numbers", INDEX_VALUE(types->count),
	                  INDEX_VALUE(types->field_count), INDEX_VALUE(types->checked),
	                  INDEX_VALUE(types->name_bytes), INDEX_VALUE(types->named),
	                  INDEX_VALUE(types->settled))
	    || types->count >= MAX_TYPES || types->field_count > MAX_FIELDS)
		return false;
	if (io->file) {
		types->complete = true;
		memcpy(types->damage.lost, types->settled, sizeof types->damage.lost);
	}
	return gotypes_index_columns(types, io) && gotypes_index_maps(types, io);
}
