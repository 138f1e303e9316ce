#include "go/types/part_kinds.h"

#include "go/runtime/gosync.h"

enum { DEPTH = 64 }; /* real types are nested far less */

void part_kinds_fini(struct part_kinds *kinds)
{
	map_free(&kinds->sets);
}

static uint32_t part_kinds_below(struct part_kinds *kinds, gotype_id id, int depth)
{
	const struct gotype *type = gotype_get(kinds->types, id);
	uint64_t set = 0;
	if (!id || depth > DEPTH || (type->kind == GO_ARRAY && !type->count))
		return 0;
	if (type->kind == GO_ARRAY)
		return part_kinds_below(kinds, type->elem, depth + 1);
	if (type->kind != GO_STRUCT)
		return UINT32_C(1) << type->kind;
	/* In a damaged file a struct may contain itself: it adds nothing then. */
	if (!map_add(&kinds->sets, id, &set))
		return (uint32_t)set;
	set = gosync_role(type->name) == GOSYNC_MAP ? PART_SYNC_MAP : 0;
	for (uint32_t i = 0; i < type->fields; i++)
		set |= part_kinds_below(kinds, gotype_field(kinds->types, type->first_field + i)->type,
		                        depth + 1);
	map_put(&kinds->sets, id, set);
	return (uint32_t)set;
}

uint32_t part_kinds_of(struct part_kinds *kinds, gotype_id type)
{
	return part_kinds_below(kinds, type, 0);
}
