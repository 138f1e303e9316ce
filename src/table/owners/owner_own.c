#include "table/owners/owner_own.h"

#include "analysis/kept.h"
#include "analysis/owners.h"
#include "base/map.h"
#include "base/mem.h"
#include "heap/heap.h"
#include "heap/name_part.h"
#include "heap/root.h"
#include "table/naming/entity.h"

#include <stdlib.h>
#include <string.h>

enum {
	LEAST = 1,       /* percent of all: smaller owners keep their names */
	NEARLY_ALL = 80, /* percent of the owner that the object must retain */
	DEEPEST = 64     /* steps in the dominator tree */
};

struct owner_own {
	struct map object; /* root node -> the object */
};

static void owner_own_free(void *made)
{
	struct owner_own *self = made;
	map_free(&self->object);
	free(self);
}

/* Returns true for structs of the program's own packages. */
static bool owner_own_is_type(const struct analysis *analysis, uint32_t object)
{
	struct typed typed = typing_object(analysis_typing(analysis), object);
	if (!typed.type || typed.count != 1 || typed.text)
		return false;
	const struct gotype *type = gotype_get(analysis_types(analysis), typed.type);
	/* A closure has the name of its function. */
	return type->kind == GO_STRUCT && !strstr(type->name, ".func") && !strstr(type->name, "-fm")
	       && names_is_of_program(analysis_names(analysis), type->name);
}

/* Returns the child that retains at least so many bytes; OBJECT_NONE: none does. */
static uint32_t owner_own_child(const struct dominators *d,
                                const struct dominator_children *children, uint32_t node,
                                uint64_t least)
{
	struct ids below = dominator_children_of(children, node);
	for (size_t i = 0; i < below.count; i++)
		if (dominators_bytes(d, below.id[i]) >= least)
			return below.id[i];
	return OBJECT_NONE;
}

static uint32_t owner_own_find(const struct analysis *analysis, const struct dominators *d,
                               const struct dominator_children *children, uint32_t node)
{
	uint64_t least = dominators_bytes(d, node) / 100 * NEARLY_ALL;
	for (unsigned depth = 0; depth < DEEPEST && node != OBJECT_NONE; depth++) {
		if (node < d->root && owner_own_is_type(analysis, node))
			return node;
		node = owner_own_child(d, children, node, least);
	}
	return OBJECT_NONE;
}

/* Returns true for owners that already have a name of the program's main package. */
static bool owner_own_is_named(const struct analysis *analysis, const struct owner *owner)
{
	static const char *const begins[] = {"main.", "main variable "};
	SCOPED_BUF name = {0};
	entity_add_label(analysis, (struct entity){ENTITY_ROOT_NODE, owner->root_node, 0}, &name);
	const char *text = buf_text(&name), *function = strstr(text, " main.");
	if (function && strncmp(text, "goroutine ", strlen("goroutine ")) == 0)
		return true;
	for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
		if (strncmp(text, begins[i], strlen(begins[i])) == 0)
			return true;
	return false;
}

static void *owner_own_make(const struct analysis *analysis, enum retain retain,
                            struct progress *progress)
{
	const struct owners *owners =
		analysis_has_roots(analysis) ? analysis_owners(analysis, retain, progress) : NULL;
	const struct dominator_children *children =
		owners ? analysis_children(analysis, retain, progress) : NULL;
	if (!children || !analysis_typing(analysis))
		return NULL;
	const struct dominators *d = owners->dominators;
	const struct root_nodes *root_nodes = d->root_nodes;
	struct owner_own *made = mem_alloc(sizeof *made);
	for (uint32_t i = 0; i < owners->count; i++) {
		const struct owner *owner = &owners->owner[i];
		enum root_node_kind kind = root_nodes->root_node[owner->root_node].kind;
		uint32_t node = root_nodes_node(root_nodes, owner->root_node);
		if (owner->root_nodes != 1 || (kind != ROOT_NODE_GLOBAL && kind != ROOT_NODE_THREAD)
		    || dominators_bytes(d, node) < dominators_bytes(d, d->root) / 100 * LEAST
		    || owner_own_is_named(analysis, owner))
			continue;
		uint32_t object = owner_own_find(analysis, d, children, node);
		if (object != OBJECT_NONE)
			map_put(&made->object, owner->root_node, object);
	}
	return made;
}

/* Not registered: quickly made from what an index has. */
static const struct kept_kind owner_own_kept = {
	.needs = STAGE_TYPED | STAGE_OWNED,
	.by_retain = true,
	.make = owner_own_make,
	.free = owner_own_free,
};

static const char by[] = " by ";

void owner_own_add(const struct analysis *analysis, uint32_t root_node, struct buf *out)
{
	uint64_t object;
	if (!name_wants(out, NAME_ADDRESS) || !analysis_has(analysis, STAGE_TYPED))
		return;
	const struct owner_own *own =
		analysis_kept(analysis, &owner_own_kept, analysis_owner_retain(analysis), NULL);
	if (!own || !map_get(&own->object, root_node, &object))
		return;
	entity_add_label(analysis, entity_of_object((uint32_t)object), out);
	buf_add(out, by);
}

const char *owner_own_skip(const char *name)
{
	const char *at = strstr(name, by);
	return at ? at + strlen(by) : name;
}
