/* The types behind the dump's addresses and behind the headers and parts of containers: part of
   go/runtime/goruntime.h. */
#include "go/runtime/goruntime.h"

#include "go/runtime/gomap.h"
#include "gosync_walk.h"
#include "heap/heap.h"

#include <string.h>

/* Registers a header. Types with the same elements share it; the plain map or channel type wins
   over defined types and directional channels. */
static void goruntime_index_header(struct goruntime *rt, gotype_id id)
{
	const struct gotype *type = gotype_get(rt->types, id);
	const char *plain = type->kind == GO_MAP ? "map[" : "chan ";
	uint64_t before;
	if (!map_get(&rt->containers, type->header, &before)
	    || strncmp(type->name, plain, strlen(plain)) == 0)
		map_put(&rt->containers, type->header, id);
}

static void goruntime_index_type(struct goruntime *rt, gotype_id id)
{
	const struct gotype *type = gotype_get(rt->types, id);
	gotype_id slots = 0, described = 0;
	if (type->kind == GO_MAP) {
		slots = gomap_slots_type(rt->types, id);
		described = gotypes_described_slots(rt->types, id);
	}
	if (type->rtype)
		map_put(&rt->dynamic, type->rtype + rt->bias, gotypes_at(rt->types, type->rtype));
	if ((type->kind == GO_MAP || type->kind == GO_CHAN) && type->header)
		goruntime_index_header(rt, id);
	if (slots)
		map_put(&rt->containers, slots, id);
	if (described)
		map_put(&rt->containers, described, id);
}

void goruntime_settle(struct goruntime *rt)
{
	for (size_t i = 0; i < rt->heap->itab_count; i++)
		gotypes_at(rt->types, rt->heap->itabs[i].type - rt->bias);
	gotypes_complete(rt->types);
	gosync_index_nodes(rt);
	uint32_t count = gotypes_count(rt->types);
	for (gotype_id id = 1; id <= count; id++)
		goruntime_index_type(rt, id);
}
