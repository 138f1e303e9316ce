#include "go/runtime/gosync.h"

#include "base/mem.h"
#include "go/runtime/goiface.h"
#include "gosync_walk.h"
#include "heap/heap.h"

#include <stdlib.h>
#include <string.h>

/* ---- Common code */

bool gosync_spend(struct gosync_walk *walk)
{
	walk->map->more |= walk->budget == 0;
	return walk->budget > 0 && walk->budget--;
}

void gosync_add(struct gosync_walk *walk, uint64_t key, uint64_t value)
{
	struct gosync *map = walk->map;
	MEM_PUSH(map->entries, map->count, walk->capacity, (struct gosync_entry){key, value});
}

bool gosync_object(const struct gosync_walk *walk, gotype_id type, uint64_t address,
                   struct struct_view *out)
{
	const struct heap *heap = walk->in->heap;
	uint32_t id = heap_find(heap, address);
	return id != OBJECT_NONE && heap_address(heap, id) == address
	       && struct_view_at(walk->in, type, address, out);
}

/* Returns the T of an atomic.Pointer[T]: an empty array of *T determines the type of its
   unsafe.Pointer. */
gotype_id gosync_pointee(const struct gotypes *types, gotype_id atomic)
{
	const struct gotype *array = gotype_get(types, gotype_field_named(types, atomic, "_", NULL));
	const struct gotype *pointer = gotype_get(types, array->elem);
	return array->kind == GO_ARRAY && pointer->kind == GO_POINTER ? pointer->elem : 0;
}

/* The word through which a map refers to its entries. Atomic pointers are wrapped in structs, in
   some versions only. */
struct gosync_word {
	gotype_id type, wrap; /* type of the word or the interface; type of the struct around it */
	uint64_t offset;
};

static bool gosync_find_word(const struct gotypes *types, gotype_id type, struct gosync_word *found)
{
	static const char *const names[][4] = {{"m", "root", "v"}, {"root", "v"}, {"read", "v"}};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		gotype_id field;
		uint64_t inner;
		*found = (struct gosync_word){.type = type};
		for (const char *const *name = names[i];
		     *name && (field = gotype_field_named(types, found->type, *name, &inner)); name++)
			*found = (struct gosync_word){field, found->type, found->offset + inner};
		enum gokind kind = gotype_get(types, found->type)->kind;
		if (kind == GO_INTERFACE || kind == GO_POINTER || kind == GO_UNSAFE_POINTER)
			return true;
	}
	return false;
}

bool gosync_pointer(const struct gotypes *types, gotype_id type, uint64_t *offset)
{
	struct gosync_word found;
	if (!gosync_find_word(types, type, &found))
		return false;
	const struct gotype *last = gotype_get(types, found.type);
	*offset = found.offset + (last->kind == GO_INTERFACE ? last->size / 2 : 0);
	return true;
}

/* Follows that word. */
static bool gosync_follow(const struct gosync_walk *walk, const struct struct_view *from,
                          struct struct_view *out)
{
	const struct goruntime *in = walk->in;
	struct gosync_word found;
	if (!gosync_find_word(in->types, from->type, &found))
		return false;
	const struct gotype *type = gotype_get(in->types, found.type);
	uint64_t width = in->heap->params.layout.pointer_size;
	uint64_t size = type->kind == GO_INTERFACE ? 2 * width : width;
	if (from->size < size || found.offset > from->size - size)
		return false;
	const uint8_t *word = from->data + found.offset;
	gotype_id to = type->elem;
	if (type->kind == GO_INTERFACE) {
		to = goiface_dynamic(in, heap_word(in->heap, word), type->has_methods);
		word += width;
	} else if (type->kind == GO_UNSAFE_POINTER) {
		to = gosync_pointee(in->types, found.wrap);
	}
	return gosync_object(walk, to, heap_word(in->heap, word), out);
}

/* ---- Two maps: a read-only one without a lock, and one with newer entries */

static uint64_t deleted_mark(const struct goruntime *in)
{
	const struct image_symbol *mark =
		image_variable_named(gotypes_image(in->types), "sync.expunged");
	return mark ? gomemory_word(in, mark->address + in->data_bias) : 0;
}

/* Reads a map whose values are pointers to sync.entry, which points to the value, or is nil after
   deletion. */
static bool walk_map(struct gosync_walk *walk, const struct struct_view *header)
{
	const struct gotypes *types = walk->in->types;
	struct gomap at;
	struct gomap_entry pair;
	struct struct_view entry;
	uint64_t value, deleted = deleted_mark(walk->in);
	if (!gomap_start(walk->in, header->type, header->data, header->size, &at))
		return false;
	/* values are interfaces, like keys */
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
	const struct gotypes *types = walk->in->types;
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

/* If there are newer entries, the second map also has all entries of the first. */
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

/* ---- Both implementations */

static bool walk_sync_map(struct gosync_walk *walk, const struct struct_view *from)
{
	struct struct_view trie;
	return struct_view_field(from, "m", &trie) ? walk_trie(walk, from) : walk_two_maps(walk, from);
}

static const struct kind {
	const char *name; /* full name; ends in [ if type arguments follow */
	enum gosync_role role;
	bool (*walk)(struct gosync_walk *walk, const struct struct_view *from);
} kinds[] = {
	{"sync.Map", GOSYNC_MAP, walk_sync_map},
	{"internal/sync.HashTrieMap[", GOSYNC_MAP, walk_trie},
	{"internal/concurrent.HashTrieMap[", GOSYNC_MAP, walk_trie},
	{"unique.canonMap[", GOSYNC_MAP, walk_trie},
	{"internal/sync.indirect[", GOSYNC_PART, walk_node},
	{"internal/concurrent.indirect[", GOSYNC_PART, walk_node},
	{"unique.indirect[", GOSYNC_PART, walk_node},
	{"sync.readOnly", GOSYNC_PART, walk_read_only},
	{"sync.entry", GOSYNC_PART, NULL},
	{"hash<interface {},*sync.entry>", GOSYNC_PART, walk_map},
	{"map<interface {},*sync.entry>", GOSYNC_PART, walk_map},
};

static const struct kind *gosync_find(const char *name)
{
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (goruntime_is_named(name, kinds[i].name))
			return &kinds[i];
	return NULL;
}

enum gosync_role gosync_role(const char *name)
{
	/* The first letter excludes most names. */
	const struct kind *kind = strchr("himsu", *name) ? gosync_find(name) : NULL;
	return kind ? kind->role : GOSYNC_NONE;
}

bool gosync_is_part(const struct goruntime *rt, gotype_id type)
{
	struct gosync_slot ignored;
	gotype_id header = gotype_get(rt->types, goruntime_container(rt, type))->header;
	return gosync_role(gotype_get(rt->types, type)->name) == GOSYNC_PART
	       || (header && gosync_role(gotype_get(rt->types, header)->name) == GOSYNC_PART)
	       || gosync_slot(rt->types, type, &ignored);
}

bool gosync_read(const struct goruntime *in, gotype_id type, const uint8_t *data, uint64_t size,
                 uint64_t limit, struct gosync *map)
{
	struct gosync_walk walk = {.in = in, .map = map, .budget = limit};
	struct struct_view from = {in, type, data, size};
	const struct kind *kind = gosync_find(gotype_get(in->types, type)->name);
	*map = (struct gosync){0};
	return kind && kind->walk && kind->walk(&walk, &from);
}

void gosync_free(struct gosync *map)
{
	free(map->entries);
	*map = (struct gosync){0};
}

bool gosync_length(const struct goruntime *in, gotype_id type, uint64_t address, uint64_t *length)
{
	const struct kind *kind = gosync_find(gotype_get(in->types, type)->name);
	struct gosync map = {0};
	struct struct_view node;
	bool known = kind && (kind->role == GOSYNC_MAP || kind->walk == walk_node)
	             && struct_view_at(in, type, address, &node)
	             && gosync_read(in, type, node.data, node.size, heap_object_count(in->heap), &map)
	             && !map.more;
	*length = map.count;
	gosync_free(&map);
	return known;
}

uint64_t gosync_above(const struct goruntime *in, gotype_id type, uint64_t address)
{
	const struct kind *kind = gosync_find(gotype_get(in->types, type)->name);
	struct struct_view node;
	uint64_t above = 0;
	if (kind && kind->walk == walk_node && struct_view_at(in, type, address, &node))
		struct_view_number(&node, "parent", &above);
	return above;
}

struct gomap_part gosync_part(const struct goruntime *in, gotype_id type, uint64_t address)
{
	uint64_t size = gotype_get(in->types, type)->size;
	return (struct gomap_part){address, address, gomemory_bytes(in, address, size), size};
}

struct gomap_entry gosync_get(const struct goruntime *in, const struct gosync *map, size_t n)
{
	return (struct gomap_entry){gosync_part(in, map->key, map->entries[n].key),
	                            gosync_part(in, map->value, map->entries[n].value)};
}

/* Returns the value of an entry: up to Go 1.19 the pointer to it has no type. */
static size_t entry_points_to(const struct goruntime_place *at, struct pointee out[POINTEES])
{
	struct gotypes *types = at->rt->types;
	struct struct_view entry = structs_view(at), value;
	if (!struct_view_field(&entry, "p", &value)
	    || gotype_get(types, value.type)->kind != GO_UNSAFE_POINTER
	    || !struct_view_number(&entry, "p", &out->address))
		return 0;
	out->type = gotypes_named(types, "interface {}");
	out->count = 1;
	return 1;
}

static size_t atomic_points_to(const struct goruntime_place *at, struct pointee out[POINTEES])
{
	struct struct_view atomic = structs_view(at);
	out->type = gosync_pointee(at->rt->types, at->type);
	out->count = 1;
	return out->type && struct_view_number(&atomic, "v", &out->address);
}

/* Returns the handle of a weak pointer, which has the only address that the collector does not
   follow; from Go 1.26 on it is an object of its own. */
static size_t weak_points_to(const struct goruntime_place *at, struct pointee out[POINTEES])
{
	struct struct_view weak = structs_view(at);
	out->type = gotypes_named(at->rt->types, "runtime.weakHandleBox");
	out->count = 1;
	return out->type && struct_view_number(&weak, "u", &out->address);
}

const struct goruntime_struct gosync_structs[] = {
	{"sync.entry", false, entry_points_to},
	{"weak.Pointer[", false, weak_points_to},
	{"sync/atomic.Pointer[", false, atomic_points_to},
	{0},
};
