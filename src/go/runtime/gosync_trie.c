/* Hash trie: a node has sixteen children, or is an entry with a chain of entries of the same hash
   (internal/sync/hashtriemap.go; internal/concurrent in Go 1.23; unique/canonmap.go from Go 1.25
   on, whose entries have keys only, as weak pointers). */
#include "gosync_walk.h"

#include "base/buf.h"

#include <string.h>

enum { LEVELS = 16 }; /* four bits each of a 64-bit hash */

/* Iterator over the children of a node. */
struct level {
	struct struct_view children; /* an array */
	const struct gotype *array;
	uint64_t next; /* index of the next child */
};

static bool level_open(const struct struct_view *node, struct level *level)
{
	const struct gotypes *types = node->in->types;
	*level = (struct level){0};
	if (!struct_view_field(node, "children", &level->children))
		return false;
	level->array = gotype_get(types, level->children.type);
	return level->array->kind == GO_ARRAY && level->array->elem;
}

static const char *const packages[] = {"internal/sync", "internal/concurrent", "unique"};

/* Returns the type of entries or inner nodes, given their common header type. */
static gotype_id node_is(struct gotypes *types, gotype_id node, bool entry)
{
	const char *whole = gotype_get(types, node)->name, *at = strstr(whole, ".node[");
	SCOPED_BUF name = {0};
	if (!at)
		return 0;
	buf_add_bytes(&name, whole, (size_t)(at - whole));
	buf_add(&name, entry ? ".entry" : ".indirect");
	buf_add(&name, at + strlen(".node"));
	return gotypes_named(types, buf_text(&name));
}

static bool gosync_is_trie(const char *name, const char *type)
{
	for (size_t i = 0; i < sizeof packages / sizeof *packages; i++) {
		size_t len = strlen(packages[i]);
		if (strncmp(name, packages[i], len) == 0 && goruntime_is_named(name + len, type))
			return true;
	}
	return false;
}

void gosync_index_nodes(struct goruntime *rt)
{
	for (gotype_id id = 1; id <= gotypes_count(rt->types); id++)
		if (gosync_is_trie(gotype_get(rt->types, id)->name, ".node["))
			map_put(&rt->nodes, id,
			        (uint64_t)node_is(rt->types, id, true) << 32 | node_is(rt->types, id, false));
}

/* The first byte of a node says whether it is an entry. */
static size_t node_points_to(const struct goruntime_place *at, struct pointee out[POINTEES])
{
	if (at->offset >= at->region->size)
		return 0;
	bool entry = at->region->data[at->offset];
	*out = (struct pointee){at->region->address + at->offset,
	                        node_is(at->rt->types, at->type, entry), 1};
	return 1;
}

const struct goruntime_struct gosync_trie_structs[] = {
	{"internal/sync.node[", false, node_points_to},
	{"internal/concurrent.node[", false, node_points_to},
	{"unique.node[", false, node_points_to},
	{0},
};

/* Returns a view of the node at an address. */
static bool gosync_node(const struct gosync_walk *walk, gotype_id node, uint64_t address,
                        struct struct_view *out)
{
	const uint8_t *first = gomemory_bytes(walk->in, address, 1);
	uint64_t types;
	return first && map_get(&walk->in->nodes, node, &types)
	       && gosync_object(walk, (gotype_id)(*first ? types >> 32 : types), address, out);
}

/* Reads the next child, which may be nil. Returns false at the end. */
static bool level_next(struct level *level, uint64_t *address)
{
	const struct struct_view *children = &level->children;
	uint64_t size = gotype_get(children->in->types, level->array->elem)->size;
	if (size == 0 || level->next >= level->array->count || level->next >= children->size / size)
		return false;
	struct struct_view child = {children->in, level->array->elem,
	                            children->data + level->next * size, size};
	level->next++;
	*address = 0;
	struct_view_number(&child, "v", address);
	return true;
}

bool gosync_slot(const struct gotypes *types, gotype_id type, struct gosync_slot *slot)
{
	if (!gosync_is_trie(gotype_get(types, type)->name, ".entry["))
		return false;
	slot->key = gotype_field_named(types, type, "key", &slot->key_at);
	slot->value = gotype_field_named(types, type, "value", &slot->value_at);
	if (!slot->value)
		slot->value = gotype_field_named(types, type, "key", &slot->value_at);
	return slot->value;
}

/* Adds an entry. Returns false if it is none, or has other types than the entries before. */
static bool gosync_trie_add_entry(struct gosync_walk *walk, const struct struct_view *entry,
                                  uint64_t address)
{
	struct gosync *map = walk->map;
	struct gosync_slot slot;
	if (!gosync_slot(walk->in->types, entry->type, &slot)
	    || (map->key && (slot.key != map->key || slot.value != map->value)))
		return false;
	map->key = slot.key;
	map->value = slot.value;
	gosync_add(walk, address + slot.key_at, address + slot.value_at);
	return true;
}

/* Adds an entry and its overflow chain. */
static void add_chain(struct gosync_walk *walk, struct struct_view entry, uint64_t address)
{
	while (gosync_trie_add_entry(walk, &entry, address)) {
		if (!struct_view_number(&entry, "overflow", &address) || !address || !gosync_spend(walk))
			return;
		if (!gosync_object(walk, entry.type, address, &entry))
			break;
	}
	walk->map->more = true;
}

void gosync_walk_trie(struct gosync_walk *walk, const struct struct_view *node)
{
	struct level stack[LEVELS];
	struct struct_view below;
	uint64_t address;
	unsigned depth = level_open(node, &stack[0]);
	while (depth > 0) {
		if (!level_next(&stack[depth - 1], &address)) {
			depth--;
			continue;
		}
		if (!address)
			continue;
		if (!gosync_spend(walk))
			return;
		gotype_id type = gosync_pointee(walk->in->types, stack[depth - 1].array->elem);
		if (!gosync_node(walk, type, address, &below))
			walk->map->more = true;
		else if (depth < LEVELS && level_open(&below, &stack[depth]))
			depth++;
		else
			add_chain(walk, below, address);
	}
}
