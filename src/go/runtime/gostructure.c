#include "go/runtime/gostructure.h"

#include "go/runtime/gomap.h"
#include "go/runtime/gosync.h"

#include <string.h>

/* Returns true for the list through which a map without pointers keeps its overflow buckets
   alive. */
static bool is_overflow(const struct gotypes *types, gotype_id type)
{
	static const char bucket[] = "runtime.bmap";
	const struct gotype *at = gotype_get(types, type);
	if (strcmp(at->name, "runtime.mapextra") == 0)
		return true;
	if (at->kind == GO_SLICE)
		at = gotype_get(types, at->elem);
	return at->kind == GO_POINTER && strcmp(gotype_get(types, at->elem)->name, bucket) == 0;
}

enum gostructure_role gostructure_role(const struct goruntime *rt, gotype_id type)
{
	struct gomap_slots slots;
	if (!type)
		return GOSTRUCTURE_NONE;
	if (gomap_slots(rt, type, &slots))
		return GOSTRUCTURE_SLOTS;
	gotype_id container = goruntime_container(rt, type);
	if (container)
		return gotype_get(rt->types, container)->kind == GO_CHAN ? GOSTRUCTURE_CHAN
		                                                         : GOSTRUCTURE_MAP;
	if (gomap_is_between(rt, type) || is_overflow(rt->types, type))
		return GOSTRUCTURE_TABLE;
	return gosync_role(gotype_get(rt->types, type)->name) == GOSYNC_PART ? GOSTRUCTURE_SYNC
	                                                                     : GOSTRUCTURE_NONE;
}

bool gostructure_is_inside(const struct goruntime *rt, struct gostructure_object from,
                           struct gostructure_object to)
{
	switch (from.role) {
	case GOSTRUCTURE_MAP:
	case GOSTRUCTURE_TABLE:
		return to.role != GOSTRUCTURE_MAP && to.role != GOSTRUCTURE_CHAN;
	case GOSTRUCTURE_CHAN:
		return gotype_get(rt->types, goruntime_container(rt, from.type))->elem == to.type;
	case GOSTRUCTURE_SLOTS:
		return from.type == to.type; /* a chain */
	case GOSTRUCTURE_SYNC:
		return to.role == GOSTRUCTURE_SYNC;
	default:
		return false;
	}
}
