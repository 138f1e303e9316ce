/* The trie of hashes: a node has sixteen others below it or is an entry, behind which stand those
   of the same hash (internal/sync/hashtriemap.go; internal/concurrent in Go 1.23). */
#include "gosync_walk.h"
#include "govalue_read.h"

enum { LEVELS = 16 }; /* four bits each of a hash of 64 */

/* The pointers in a node to those below it. */
struct level {
	struct struct_view children; /* an array */
	const struct gotype *array;
	uint64_t next; /* to be looked at */
};

static bool level_open(const struct struct_view *node, struct level *level)
{
	const struct gotypes *types = typing_types(node->in->typing);
	*level = (struct level){0};
	if (!struct_view_field(node, "children", &level->children))
		return false;
	level->array = gotype_get(types, level->children.type);
	return level->array->kind == GO_ARRAY && level->array->elem;
}

/* The next pointer, which may be nil. False: there are no more. */
static bool level_next(struct level *level, uint64_t *address)
{
	const struct struct_view *children = &level->children;
	uint64_t size = gotype_get(typing_types(children->in->typing), level->array->elem)->size;
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
	const char *name = gotype_get(types, type)->name;
	if (!reading_is_named(name, "internal/sync.entry[")
	    && !reading_is_named(name, "internal/concurrent.entry["))
		return false;
	slot->key = gotype_field_named(types, type, "key", &slot->key_at);
	slot->value = gotype_field_named(types, type, "value", &slot->value_at);
	return slot->key && slot->value;
}

/* False: it is none, or not of the same types as the others. */
static bool gosync_trie_add_entry(struct gosync_walk *walk, const struct struct_view *entry,
                                  uint64_t address)
{
	struct gosync *map = walk->map;
	struct gosync_slot slot;
	if (!gosync_slot(typing_types(walk->in->typing), entry->type, &slot)
	    || (map->key && (slot.key != map->key || slot.value != map->value)))
		return false;
	map->key = slot.key;
	map->value = slot.value;
	gosync_add(walk, address + slot.key_at, address + slot.value_at);
	return true;
}

/* An entry, and those behind it. */
static void add_chain(struct gosync_walk *walk, struct struct_view entry, uint64_t address)
{
	while (gosync_trie_add_entry(walk, &entry, address)) {
		if (!struct_view_number(&entry, "overflow", &address) || !address || !gosync_spend(walk))
			return;
		if (!gosync_object(walk, address, &entry))
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
		if (!gosync_object(walk, address, &below))
			walk->map->more = true;
		else if (depth < LEVELS && level_open(&below, &stack[depth]))
			depth++;
		else
			add_chain(walk, below, address);
	}
}
