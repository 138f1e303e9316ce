#include "types/gosync.h"

#include "base/mem.h"
#include "gosync_walk.h"
#include "govalue_read.h"

#include <stdlib.h>
#include <string.h>

/* ---- What both kinds share */

bool gosync_spend(struct gosync_walk *walk)
{
	walk->map->more |= walk->budget == 0;
	return walk->budget > 0 && walk->budget--;
}

void gosync_add(struct gosync_walk *walk, uint64_t key, uint64_t value)
{
	struct gosync *map = walk->map;
	map->entries = mem_grow(map->entries, map->count, &walk->capacity, sizeof *map->entries);
	map->entries[map->count++] = (struct gosync_entry){key, value};
}

bool gosync_object(const struct gosync_walk *walk, uint64_t address, struct struct_view *out)
{
	const struct govalue *in = walk->in;
	uint32_t id = heap_find(in->heap, address);
	if (id == OBJECT_NONE || heap_address(in->heap, id) != address)
		return false;
	struct typed typed = typing_object(in->typing, id);
	return typed.count == 1 && struct_view_at(in, typed.type, address, out);
}

/* What the type's own pointer leads to. */
static bool gosync_follow(const struct gosync_walk *walk, const struct struct_view *from,
                          struct struct_view *out)
{
	uint64_t offset, width = walk->in->heap->params.layout.pointer_size;
	return gosync_pointer(typing_types(walk->in->typing), from->type, &offset)
	       && from->size >= width && offset <= from->size - width
	       && gosync_object(walk, heap_word(walk->in->heap, from->data + offset), out);
}

/* ---- Two maps: one that is read without a lock, and one with what came since then */

static uint64_t deleted_mark(const struct govalue *in)
{
	uint64_t address, size;
	return names_place(in->names, "sync.expunged", &address, &size) ? govalue_word(in, address) : 0;
}

/* A map whose values are pointers to sync.entry, which points to the value: nil where there is
   none any more. */
static bool walk_map(struct gosync_walk *walk, const struct struct_view *header)
{
	const struct gotypes *types = typing_types(walk->in->typing);
	struct gomap at;
	struct gomap_entry pair;
	struct struct_view entry;
	uint64_t value, deleted = deleted_mark(walk->in);
	if (!gomap_start(walk->in, header->type, header->data, header->size, &at))
		return false;
	/* The values are interfaces, as the keys. */
	walk->map->key = walk->map->value = at.slots.key;
	gotype_id type = gotype_get(types, at.slots.value)->elem;
	while (gomap_next(&at, &pair) && gosync_spend(walk))
		if (pair.value.data
		    && struct_view_at(walk->in, type, heap_word(walk->in->heap, pair.value.data), &entry)
		    && struct_view_number(&entry, "p", &value) && value && value != deleted)
			gosync_add(walk, pair.key.address, value);
	return true;
}

static bool walk_map_field(struct gosync_walk *walk, const struct struct_view *from,
                           const char *name)
{
	const struct gotypes *types = typing_types(walk->in->typing);
	struct struct_view field, header;
	if (!struct_view_field(from, name, &field))
		return false;
	const struct gotype *map = gotype_get(types, field.type);
	if (map->kind != GO_MAP || field.size < walk->in->heap->params.layout.pointer_size)
		return false;
	uint64_t address = heap_word(walk->in->heap, field.data);
	return !address
	       || (struct_view_at(walk->in, map->header, address, &header) && walk_map(walk, &header));
}

static bool walk_read_only(struct gosync_walk *walk, const struct struct_view *from)
{
	return walk_map_field(walk, from, "m");
}

/* Once there is anything new, the second map has all that the first has. */
static bool walk_two_maps(struct gosync_walk *walk, const struct struct_view *from)
{
	struct struct_view first;
	uint64_t amended = 0;
	if (!gosync_follow(walk, from, &first))
		return walk_map_field(walk, from, "dirty");
	struct_view_number(&first, "amended", &amended);
	return amended ? walk_map_field(walk, from, "dirty") : walk_read_only(walk, &first);
}

/* ---- A trie */

static bool walk_node(struct gosync_walk *walk, const struct struct_view *from)
{
	gosync_walk_trie(walk, from);
	return true;
}

static bool walk_trie(struct gosync_walk *walk, const struct struct_view *from)
{
	struct struct_view root;
	if (gosync_follow(walk, from, &root))
		gosync_walk_trie(walk, &root);
	return true;
}

/* ---- Both */

static bool walk_sync_map(struct gosync_walk *walk, const struct struct_view *from)
{
	struct struct_view trie;
	return struct_view_field(from, "m", &trie) ? walk_trie(walk, from) : walk_two_maps(walk, from);
}

static const struct kind {
	const char *name; /* full; ends in [ when arguments follow */
	enum gosync_role role;
	bool (*walk)(struct gosync_walk *walk, const struct struct_view *from);
} kinds[] = {
	{"sync.Map", GOSYNC_MAP, walk_sync_map},
	{"internal/sync.HashTrieMap[", GOSYNC_MAP, walk_trie},
	{"internal/concurrent.HashTrieMap[", GOSYNC_MAP, walk_trie},
	{"internal/sync.indirect[", GOSYNC_PART, walk_node},
	{"internal/concurrent.indirect[", GOSYNC_PART, walk_node},
	{"sync.readOnly", GOSYNC_PART, walk_read_only},
	{"sync.entry", GOSYNC_PART, NULL},
	{"hash<interface {},*sync.entry>", GOSYNC_PART, walk_map},
	{"map<interface {},*sync.entry>", GOSYNC_PART, walk_map},
};

static const struct kind *gosync_find(const char *name)
{
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (reading_is_named(name, kinds[i].name))
			return &kinds[i];
	return NULL;
}

enum gosync_role gosync_role(const char *name)
{
	/* Most names are told apart by their first letter. */
	const struct kind *kind = strchr("hims", *name) ? gosync_find(name) : NULL;
	return kind ? kind->role : GOSYNC_NONE;
}

bool gosync_read(const struct govalue *in, gotype_id type, const uint8_t *data, uint64_t size,
                 uint64_t limit, struct gosync *map)
{
	struct gosync_walk walk = {.in = in, .map = map, .budget = limit};
	struct struct_view from = {in, type, data, size};
	const struct kind *kind = gosync_find(gotype_get(typing_types(in->typing), type)->name);
	*map = (struct gosync){0};
	return kind && kind->walk && kind->walk(&walk, &from);
}

void gosync_free(struct gosync *map)
{
	free(map->entries);
	*map = (struct gosync){0};
}

struct gomap_part gosync_part(const struct govalue *in, gotype_id type, uint64_t address)
{
	uint64_t size = gotype_get(typing_types(in->typing), type)->size;
	return (struct gomap_part){address, address, govalue_memory(in, address, size), size};
}

struct gomap_entry gosync_get(const struct govalue *in, const struct gosync *map, size_t n)
{
	return (struct gomap_entry){gosync_part(in, map->key, map->entries[n].key),
	                            gosync_part(in, map->value, map->entries[n].value)};
}

bool gosync_pointer(const struct gotypes *types, gotype_id type, uint64_t *offset)
{
	/* Pointers that are stored as a whole are wrapped up; not all in every version. */
	static const char *const ways[][4] = {{"m", "root", "v"}, {"root", "v"}, {"read", "v"}};
	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
		gotype_id at = type, field;
		uint64_t inner;
		*offset = 0;
		for (const char *const *name = ways[i];
		     *name && (field = gotype_field_named(types, at, *name, &inner)); name++) {
			at = field;
			*offset += inner;
		}
		const struct gotype *last = gotype_get(types, at);
		*offset += last->kind == GO_INTERFACE ? last->size / 2 : 0;
		if (last->kind == GO_INTERFACE || last->kind == GO_POINTER
		    || last->kind == GO_UNSAFE_POINTER)
			return true;
	}
	return false;
}
