#include "core_debug.h"

#include <string.h>

enum { MOST_NAME = 64 };

void core_debug_init(struct core_debug *debug, const struct core_runtime *rt)
{
	const struct exe *exe = rt->memory.exe;
	*debug = (struct core_debug){.memory = &rt->memory};
	debug->types = gotypes_new(exe_image(exe), exe_pclntab(exe)->module.address);
}

void core_debug_fini(struct core_debug *debug)
{
	gotypes_free(debug->types);
}

struct core_place core_debug_global(const struct core_debug *debug, const char *name)
{
	size_t count;
	const struct exe_global *globals = gotypes_globals(debug->types, &count);
	for (size_t i = 0; i < count; i++)
		if (strcmp(globals[i].name, name) == 0)
			return (struct core_place){globals[i].address + debug->memory->bias, globals[i].type};
	return (struct core_place){0};
}

struct core_place core_debug_field(const struct core_debug *debug, struct core_place of,
                                   const char *path)
{
	while (*path && of.type) {
		char name[MOST_NAME] = "";
		size_t length = strcspn(path, ".");
		uint64_t offset = 0;
		if (length >= sizeof name)
			return (struct core_place){0};
		memcpy(name, path, length);
		of.type = gotype_field_named(debug->types, of.type, name, &offset);
		of.address += offset;
		path += length + (path[length] == '.');
	}
	return of;
}

uint64_t core_debug_count(const struct core_debug *debug, struct core_place of)
{
	const struct gotype *type = of.type ? gotype_get(debug->types, of.type) : NULL;
	const struct gotype *elem = type && type->elem ? gotype_get(debug->types, type->elem) : NULL;
	if (!elem || !elem->size)
		return 0;
	if (type->kind == GO_ARRAY)
		return type->count;
	if (type->kind != GO_SLICE || elem->size > UINT32_MAX)
		return 0;
	return memory_slice(debug->memory, of.address, (unsigned)elem->size).count;
}

struct core_place core_debug_element(const struct core_debug *debug, struct core_place of,
                                     uint64_t index)
{
	if (index >= core_debug_count(debug, of))
		return (struct core_place){0};
	const struct gotype *type = gotype_get(debug->types, of.type);
	uint64_t start = type->kind == GO_SLICE ? memory_word(debug->memory, of.address) : of.address;
	return (struct core_place){start + index * gotype_get(debug->types, type->elem)->size,
	                           type->elem};
}

struct core_place core_debug_target(const struct core_debug *debug, struct core_place of)
{
	const struct gotype *type = of.type ? gotype_get(debug->types, of.type) : NULL;
	struct core_place target = {type ? memory_word(debug->memory, of.address) : 0, 0};
	if (target.address && type->kind == GO_POINTER)
		target.type = type->elem;
	return target;
}

uint64_t core_debug_number(struct core_debug *debug, struct core_place place)
{
	uint64_t size = place.type ? gotype_get(debug->types, place.type)->size : 0, value = 0;
	bool is_number = size == 1 || size == 2 || size == 4 || size == 8;
	if (!is_number || !memory_number(debug->memory, place.address, (unsigned)size, &value))
		debug->lacking = true;
	return value;
}

uint64_t core_debug_value(struct core_debug *debug, struct core_place of, const char *path)
{
	return core_debug_number(debug, core_debug_field(debug, of, path));
}
