/* Lookups of types by address and name, of globals and of parts of types. */
#include "base/bound.h"
#include "base/mem.h"
#include "dwarf_type.h"
#include "rtype_read.h"

#include <string.h>

gotype_id gotypes_at(struct gotypes *types, uint64_t rtype)
{
	gotype_id id = rtype ? rtype_declare(types, rtype) : 0;
	universe_settle(types);
	return id;
}

gotype_id gotypes_named(struct gotypes *types, const char *name)
{
	gotype_id id = dwarf_type_of_name(types, name, 0, types->file_count);
	if (!id)
		id = gotypes_at(types, rtype_named(types, name));
	universe_settle(types);
	return id;
}

/* Renames a bucket or group type, which the runtime's table calls "map.group[string]http.Header",
   with full package paths: otherwise types of two packages might share a name. */
static void name_slots(struct gotypes *types, gotype_id map)
{
	gotype_id slots = gotype_map_slots(types, map);
	const struct gotype *of = &types->types[map];
	const char *before = types->types[slots].name, *end = strchr(before, '[');
	SCOPED_BUF name = {0};
	if (!slots || !end)
		return;
	buf_add_bytes(&name, before, (size_t)(end - before));
	buf_addf(&name, "[%s]%s", types->types[of->key].name, types->types[of->elem].name);
	if (strcmp(buf_text(&name), before) != 0)
		types->types[slots].name = universe_keep(types, buf_text(&name), name.len);
}

void gotypes_complete(struct gotypes *types)
{
	bool first = !types->complete;
	for (size_t k = 0; k < types->file_count && !types->complete; k++)
		for (size_t i = 0; types->files[k] && i < types->files[k]->type_count; i++)
			dwarf_type_of_file(types, types->files[k], types->files[k]->types_at[i]);
	if (!types->complete)
		rtype_declare_all(types);
	types->complete = true;
	universe_settle(types);
	for (gotype_id id = 1; first && id <= types->count; id++)
		if (types->types[id].kind == GO_MAP)
			name_slots(types, id);
	if (first)
		instances_find(types);
	memcpy(types->settled, types->damage.lost, sizeof types->settled);
}

/* Adds the variables of a file. Those of a part that are another's are never used. */
static void gotypes_add_globals(struct gotypes *types, struct dwarf_index *file, size_t *capacity)
{
	for (size_t i = 0; i < file->global_count; i++) {
		const struct dwarf_global *global = &file->globals[i];
		if (file->number && types->image->symbol_count
		    && !image_variable_at(types->image, global->address))
			continue;
		MEM_PUSH(types->globals, types->global_count, *capacity,
		         (struct exe_global){global->name, global->address,
		                             dwarf_type_of_file(types, file, global->type)});
	}
}

const struct exe_global *gotypes_globals(struct gotypes *types, size_t *count)
{
	if (!types->globals) {
		size_t capacity = 0;
		types->globals = mem_grow(NULL, 0, &capacity, sizeof *types->globals);
		for (size_t i = 0; i < types->file_count; i++)
			if (types->files[i])
				gotypes_add_globals(types, types->files[i], &capacity);
		bound_sort(types->globals, types->global_count, BOUND_BY(struct exe_global, address));
		universe_settle(types);
	}
	*count = types->global_count;
	return types->globals;
}

const struct exe_global *gotypes_global_at(struct gotypes *types, uint64_t address)
{
	size_t count;
	const struct exe_global *globals = gotypes_globals(types, &count);
	size_t after = upper_bound(globals, count, BOUND_BY(struct exe_global, address), address);
	if (after == 0)
		return NULL;
	const struct exe_global *global = &globals[after - 1];
	return address - global->address < types->types[global->type].size ? global : NULL;
}

void gotypes_use_runtime(struct gotypes *types, const struct gotypes_runtime *runtime)
{
	types->runtime = runtime;
}

void gotypes_use_functions(struct gotypes *types, const struct pclntab *functions)
{
	types->functions = functions;
}

const struct pclntab *gotypes_functions(const struct gotypes *types)
{
	return types->functions;
}

static gotype_id find_channel(struct gotypes *types, gotype_id elem)
{
	SCOPED_BUF name = {0};
	if (types->runtime)
		buf_addf(&name, "%s%s>", types->runtime->chan->name, types->types[elem].name);
	gotype_id id = types->dwarf ? gotypes_named(types, buf_text(&name)) : 0;
	if (!id && types->types[elem].rtype)
		id = rtype_make_chan(types, types->types[elem].rtype);
	universe_settle(types);
	return id;
}

gotype_id gotypes_channel(struct gotypes *types, gotype_id elem)
{
	uint64_t known;
	if (!map_get(&types->channels, elem, &known)) {
		known = find_channel(types, elem);
		map_put(&types->channels, elem, known);
	}
	return (gotype_id)known;
}

gotype_id gotype_field_named(const struct gotypes *types, gotype_id id, const char *name,
                             uint64_t *offset)
{
	const struct gotype *type = gotype_get(types, id);
	for (uint32_t i = 0; i < type->fields; i++) {
		const struct gofield *field = gotype_field(types, type->first_field + i);
		if (strcmp(field->name, name) != 0)
			continue;
		if (offset)
			*offset = field->offset;
		return field->type;
	}
	return 0;
}

gotype_id gotype_map_slots(const struct gotypes *types, gotype_id map)
{
	uint64_t slots = 0;
	map_get(&types->slots, map, &slots);
	return (gotype_id)slots;
}

/* Returns the alignment. Visits at most `*left` fields: real types have fewer, malformed ones may
   nest very deep. */
static uint64_t align_of(const struct gotypes *types, gotype_id id, unsigned *left)
{
	uint64_t word = types->image->pointer_size, align = 1;
	const struct gotype *type = gotype_get(types, id);
	if (type->kind == GO_COMPLEX64)
		return 4;
	if (type->kind != GO_STRUCT && type->kind != GO_ARRAY)
		return type->size == 0 ? 1 : type->size < word ? type->size : word;
	if (type->kind == GO_ARRAY && *left > 0) {
		--*left;
		return align_of(types, type->elem, left);
	}
	for (uint32_t i = 0; i<type->fields && * left> 0; i++) {
		--*left;
		uint64_t inner = align_of(types, gotype_field(types, type->first_field + i)->type, left);
		align = inner > align ? inner : align;
	}
	return align;
}

uint64_t gotype_align(const struct gotypes *types, gotype_id id)
{
	unsigned left = 4096;
	return align_of(types, id, &left);
}
