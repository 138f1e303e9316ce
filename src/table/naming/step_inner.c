#include "table/naming/step_inner.h"

#include "analysis/reach.h"
#include "base/mem.h"
#include "go/runtime/gomap.h"
#include "go/runtime/gosync.h"
#include "go/types/scalar_fields.h"
#include "heap/heap.h"

#include <stdlib.h>
#include <string.h>

enum step_inner_role {
	STEP_INNER_NONE = 1,
	STEP_INNER_HEAD,  /* a map or a pool that is an object of its own */
	STEP_INNER_PART,  /* an object within one */
	STEP_INNER_SLOTS, /* buckets or groups of the maps in a sync.Map */
	STEP_INNER_ENTRY, /* sync.entry, which has a value, or a box with it */
	STEP_INNER_BOX,   /* an interface, which is such a box below an entry */
};

static const char *const pool_parts[] = {"sync.poolLocal", "sync.poolChainElt", "sync.eface"};

static bool step_inner_is_of_pool(const char *name)
{
	for (size_t i = 0; i < sizeof pool_parts / sizeof *pool_parts; i++)
		if (strcmp(name, pool_parts[i]) == 0)
			return true;
	return false;
}

static bool step_inner_is_entry(const struct gotypes *types, gotype_id type)
{
	return strcmp(gotype_get(types, type)->name, "sync.entry") == 0;
}

static enum step_inner_role step_inner_role_of(const struct typing *typing, gotype_id id)
{
	const struct goruntime *rt = typing_runtime(typing);
	const struct gotype *type = gotype_get(rt->types, id);
	struct gomap_slots slots;
	if (step_inner_is_entry(rt->types, id))
		return STEP_INNER_ENTRY;
	if (type->kind == GO_INTERFACE)
		return type->has_methods ? STEP_INNER_NONE : STEP_INNER_BOX;
	if (gosync_role(type->name) == GOSYNC_MAP || strcmp(type->name, "sync.Pool") == 0)
		return STEP_INNER_HEAD;
	if (gosync_is_part(rt, id) || step_inner_is_of_pool(type->name))
		return STEP_INNER_PART;
	if (gomap_slots(rt, id, &slots)
	    && step_inner_is_entry(rt->types, gotype_get(rt->types, slots.value)->elem))
		return STEP_INNER_SLOTS;
	return STEP_INNER_NONE;
}

/* Returns the role of the type of an object; 0: it has none. */
static enum step_inner_role step_inner_role(struct step_inner *inner, uint32_t object)
{
	const struct typing *typing = analysis_typing(inner->analysis);
	gotype_id type = typing ? typing_type(typing, object) : 0;
	if (!type)
		return (enum step_inner_role)0;
	if (!inner->role) {
		inner->types = gotypes_count(typing_types(typing));
		inner->role = mem_alloc(inner->types + 1);
	}
	if (type > inner->types)
		return step_inner_role_of(typing, type);
	if (!inner->role[type])
		inner->role[type] = (uint8_t)step_inner_role_of(typing, type);
	return (enum step_inner_role)inner->role[type];
}

void step_inner_fini(struct step_inner *inner)
{
	free(inner->role);
}

bool step_inner_has(struct step_inner *inner, uint32_t from, uint32_t to)
{
	enum step_inner_role at = step_inner_role(inner, from);
	if (at <= STEP_INNER_NONE || at == STEP_INNER_BOX)
		return false;
	enum step_inner_role next = step_inner_role(inner, to);
	if (at == STEP_INNER_ENTRY)
		return next == STEP_INNER_BOX;
	return next == STEP_INNER_PART || next == STEP_INNER_SLOTS || next == STEP_INNER_ENTRY;
}

bool step_inner_is_box(struct step_inner *inner, uint32_t object)
{
	if (step_inner_role(inner, object) != STEP_INNER_BOX)
		return false;
	uint32_t before = reach_before(analysis_reach(inner->analysis), object);
	return before < heap_object_count(analysis_heap(inner->analysis))
	       && step_inner_role(inner, before) == STEP_INNER_ENTRY;
}

bool step_inner_add(const struct gotypes *types, gotype_id from, uint64_t offset, gotype_id to,
                    struct buf *field, struct buf *out)
{
	struct gosync_slot slot;
	const char *name = gotype_get(types, from)->name;
	bool node = gosync_role(name) == GOSYNC_PART && gosync_slot(types, to, &slot);
	if (node || step_inner_is_of_pool(name) || step_inner_is_entry(types, from)) {
		buf_add(out, "[*]");
		return true;
	}
	if (!gosync_slot(types, from, &slot))
		return false;
	if (offset - slot.value_at < gotype_get(types, slot.value)->size) {
		buf_add(out, "[*]");
		scalar_at(types, slot.value, offset - slot.value_at, field);
		return true;
	}
	if (!slot.key || offset - slot.key_at >= gotype_get(types, slot.key)->size)
		return false;
	buf_add(out, "[*] key");
	scalar_at(types, slot.key, offset - slot.key_at, field);
	return true;
}
