#include "universe.h"

#include "base/mem.h"
#include "dwarf_files.h"
#include "dwarf_type.h"
#include "go/exe/buildinfo.h"
#include "name_hash.h"
#include "rtype_read.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static unsigned universe_minor_version(const struct image *image)
{
	static const char prefix[] = "go1.";
	SCOPED_BUF version = {0};
	buildinfo_version(image, &version);
	bool known = strncmp(buf_text(&version), prefix, sizeof prefix - 1) == 0;
	unsigned long minor = known ? strtoul(buf_text(&version) + sizeof prefix - 1, NULL, 10) : 0;
	return minor < 1000 ? (unsigned)minor : 0;
}

#define TYPES_SPACE  (MAX_TYPES * sizeof(struct gotype))
#define FIELDS_SPACE (MAX_FIELDS * sizeof(struct gofield))

size_t gotypes_space(void)
{
	return TYPES_SPACE + FIELDS_SPACE;
}

struct gotypes *gotypes_new(const struct image *image, uint64_t module)
{
	struct gotypes *types = mem_alloc(sizeof *types);
	types->image = image;
	types->types = mem_column(TYPES_SPACE);
	types->fields = mem_column(FIELDS_SPACE);
	types->types[0].name = ""; /* no type */
	types->minor = universe_minor_version(image);
	rtypes_init(&types->table, image, module, types->minor);
	dwarf_files_open(types);
	return types;
}

void gotypes_free(struct gotypes *types)
{
	if (!types)
		return;
	struct map *maps[] = {&types->by_die,   &types->by_rtype, &types->slots, &types->channels,
	                      &types->closures, &types->by_name,  &types->rows};
	for (size_t i = 0; i < sizeof maps / sizeof *maps; i++)
		map_free(maps[i]);
	for (size_t i = 0; i < types->name_count; i++)
		free(types->names[i]);
	free(types->names);
	free(types->queue);
	free(types->globals);
	dwarf_files_close(types);
	rtypes_fini(&types->table);
	buf_free(&types->damage.sections);
	mem_column_free(types->types, TYPES_SPACE);
	mem_column_free(types->fields, FIELDS_SPACE);
	free(types);
}

gotype_id universe_add(struct gotypes *types)
{
	if (types->count + 1 >= MAX_TYPES)
		return 0;
	types->types[++types->count] = (struct gotype){.name = ""};
	return types->count;
}

bool universe_add_field(struct gotypes *types, gotype_id id, struct gofield field)
{
	struct gotype *type = &types->types[id];
	if (types->field_count >= MAX_FIELDS)
		return false;
	if (type->fields == 0)
		type->first_field = types->field_count;
	types->fields[types->field_count++] = field;
	type->fields++;
	return true;
}

const char *universe_keep(struct gotypes *types, const char *name, size_t len)
{
	if (types->name_bytes + len > MAX_NAME_BYTES)
		return "";
	types->name_bytes += len;
	types->names =
		mem_grow(types->names, types->name_count, &types->name_capacity, sizeof *types->names);
	return types->names[types->name_count++] = mem_strndup(name, len);
}

gotype_id universe_declare(struct gotypes *types, bool dwarf, uint64_t where)
{
	gotype_id id = universe_add(types);
	if (!id)
		return 0;
	MEM_PUSH(types->queue, types->queued, types->queue_capacity,
	         (struct declared){id, dwarf, where});
	map_put(dwarf ? &types->by_die : &types->by_rtype, where, id);
	return id;
}

gotype_id gotypes_row(struct gotypes *types, const char *name, gotype_id elem, uint64_t count)
{
	const struct gotype *of = gotype_get(types, elem);
	SCOPED_BUF own = {0};
	uint64_t found = 0;
	buf_addf(&own, "[%" PRIu64 "]%s", count, of->name);
	uint64_t key = name_hash(buf_text(&own), own.len) ^ elem
	               ^ (name ? name_hash(name, strlen(name)) : 0);
	if (!map_get(&types->rows, key, &found) && (found = universe_add(types)) != 0) {
		name = name ? name : universe_keep(types, buf_text(&own), own.len);
		types->types[found] = (struct gotype){
			.name = name, .size = of->size * count, .kind = GO_ARRAY, .elem = elem, .count = count};
		map_put(&types->rows, key, found);
	}
	return (gotype_id)found;
}

void universe_settle(struct gotypes *types)
{
	while (types->queued > 0) {
		struct declared next = types->queue[--types->queued];
		if (next.dwarf) {
			dwarf_type_read(types, next.id, dwarf_files_enter(types, next.where));
			debug_count(&types->damage, DEBUG_TYPES);
		} else {
			rtype_read(types, next.id, next.where);
		}
	}
	universe_check(types);
}

const struct image *gotypes_image(const struct gotypes *types)
{
	return types->image;
}

void gotypes_use_memory(struct gotypes *types, struct gotypes_memory memory)
{
	types->table.memory = memory;
}

uint32_t gotypes_count(const struct gotypes *types)
{
	return types->count;
}

const struct gotype *gotype_get(const struct gotypes *types, gotype_id id)
{
	return &types->types[id <= types->count ? id : 0];
}

const struct gofield *gotype_field(const struct gotypes *types, uint32_t field)
{
	return &types->fields[field];
}

void gotypes_explain_damage(const struct gotypes *types, size_t number, struct buf *out)
{
	const struct debug_damage *damage = number ? &types->part_damage[number - 1] : &types->damage;
	if (number < types->file_count)
		debug_explain(damage, out);
}

bool gotypes_have_dwarf(const struct gotypes *types)
{
	return types->dwarf != NULL;
}

bool gotypes_range(const struct gotypes *types, uint64_t *start, uint64_t *end)
{
	*start = types->table.base;
	*end = types->table.end;
	return types->table.base != 0;
}
