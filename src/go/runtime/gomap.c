#include "go/runtime/gomap.h"

#include "base/mem.h"
#include "gomap_kind.h"
#include "heap/heap.h"

#include <stdlib.h>
#include <string.h>

enum {
	OUTSIDE = 1024,  /* limit of buckets outside the heap, for maps on stacks and in data */
	INDEX_STEP = 256 /* entries between two saved iterators */
};

extern const struct gomap_kind gomap_buckets, gomap_swiss;
const struct gomap_kind *const gomap_kinds[GOMAP_KINDS] = {&gomap_buckets, &gomap_swiss};

/* ---- The header */

gotype_id gomap_slots_type(const struct gotypes *types, gotype_id map)
{
	gotype_id header = gotype_get(types, map)->header, slots = gotype_map_slots(types, map);
	for (size_t i = 0; i < GOMAP_KINDS && !slots; i++)
		slots = gomap_kinds[i]->slots(types, header);
	return slots;
}

/* A map has no more buckets than the heap has room for. */
static void gomap_limit(struct gomap *map)
{
	map->budget = objects_bytes(map->in->heap->objects) / map->slots.size + OUTSIDE;
}

bool gomap_is_header(const struct goruntime *in, gotype_id type)
{
	struct gomap_slots slots;
	for (size_t i = 0; i < GOMAP_KINDS; i++)
		if (gomap_slots(in, gomap_kinds[i]->slots(in->types, type), &slots))
			return true;
	return false;
}

bool gomap_start(const struct goruntime *in, gotype_id type, const uint8_t *data, uint64_t size,
                 struct gomap *map)
{
	struct struct_view header = {in, type, data, size};
	*map = (struct gomap){.in = in};
	for (size_t i = 0; i < GOMAP_KINDS; i++) {
		if (!gomap_slots(in, gomap_kinds[i]->slots(in->types, type), &map->slots)
		    || !gomap_kinds[i]->start(map, &header))
			continue;
		gomap_limit(map);
		return true;
	}
	return false;
}

bool gomap_start_slots(const struct goruntime *in, gotype_id type, uint64_t count, uint64_t address,
                       const uint8_t *data, uint64_t size, struct gomap *map)
{
	*map = (struct gomap){.in = in, .moved = true, .data = data, .address = address};
	if (!gomap_slots(in, type, &map->slots))
		return false;
	uint64_t room = size / map->slots.size;
	map->buckets = count < room ? count : room;
	gomap_limit(map);
	return true;
}

/* Headers of all kinds begin with the number of entries, in a word or in 64 bits. */
bool gomap_length(const struct goruntime *rt, gotype_id type, uint64_t address, uint64_t *length)
{
	struct struct_view header;
	struct gomap map = {.in = rt};
	unsigned width = rt->heap->params.layout.pointer_size;
	const uint8_t *first = address ? gomemory_bytes(rt, address, width) : NULL;
	if (!first)
		return false;
	*length = heap_word(rt->heap, first);
	for (size_t i = 0; i < GOMAP_KINDS && struct_view_at(rt, type, address, &header); i++)
		if (gomap_kinds[i]->start(&map, &header))
			*length = map.length;
	return true;
}

bool gomap_is_between(const struct goruntime *rt, gotype_id type)
{
	uint64_t control;
	if (goruntime_container(rt, type))
		return !gomap_slots_kind(rt->types, type, &control);
	for (size_t i = 0; i < GOMAP_KINDS; i++)
		if (gomap_kinds[i]->is_between && gomap_kinds[i]->is_between(rt->types, type))
			return true;
	return false;
}

bool gomap_is_part(const struct goruntime *rt, gotype_id header, gotype_id type)
{
	/* If buckets have no pointers, these structures keep the overflow buckets alive. */
	static const char *const beside[] = {"runtime.mapextra", "[]*runtime.bmap", "*runtime.bmap",
	                                     "runtime.bmap", "[2]*[]*runtime.bmap"};
	gotype_id container = goruntime_container(rt, type);
	if (container)
		return type != header && gotype_get(rt->types, container)->header == header;
	const char *name = gotype_get(rt->types, type)->name;
	for (size_t i = 0; i < sizeof beside / sizeof *beside; i++)
		if (strcmp(name, beside[i]) == 0)
			return true;
	return gomap_is_between(rt, type);
}

/* ---- From bucket to bucket */

const uint8_t *gomap_memory(struct gomap *map, uint64_t address, uint64_t size)
{
	const uint8_t *data = gomemory_in_piece(&map->piece, address, size);
	if (data || !gomemory_piece(map->in->heap, address, &map->piece))
		return data ? data : gomemory_bytes(map->in, address, size);
	return gomemory_in_piece(&map->piece, address, size);
}

static bool open_array(struct gomap *map, uint64_t n)
{
	uint64_t size = map->slots.size;
	map->buckets = 0;
	if (!map->slots.kind->open(map, n))
		return false;
	bool fits = map->address && map->buckets > 0 && map->buckets <= UINT64_MAX / size;
	map->data = fits ? gomap_memory(map, map->address, map->buckets * size) : NULL;
	map->next_bucket = 0;
	return map->data != NULL;
}

/* Moves to the next array that has buckets. */
static bool next_array(struct gomap *map)
{
	while (map->next_array < map->arrays && map->budget > 0) {
		map->budget--;
		if (open_array(map, map->next_array++))
			return true;
	}
	return false;
}

/* Moves to the overflow bucket of the current one. */
static bool next_in_chain(struct gomap *map)
{
	if (!map->bucket || map->slots.overflow == UINT64_MAX)
		return false;
	map->bucket_address = heap_word(map->in->heap, map->bucket + map->slots.overflow);
	map->bucket = map->bucket_address ? gomap_memory(map, map->bucket_address, map->slots.size)
	                                  : NULL;
	return map->bucket != NULL;
}

static bool gomap_next_bucket(struct gomap *map)
{
	if (map->budget == 0)
		return false;
	map->budget--;
	map->next_slot = 0;
	if (next_in_chain(map))
		return true;
	while (!map->data || map->next_bucket == map->buckets)
		if (!next_array(map))
			return false;
	uint64_t at = map->next_bucket++ * map->slots.size;
	map->bucket = map->data + at;
	map->bucket_address = map->address + at;
	return true;
}

/* ---- From entry to entry */

bool gomap_next(struct gomap *map, struct gomap_entry *entry)
{
	for (;;) {
		if (!map->bucket || map->next_slot == GOMAP_SLOTS) {
			if (!gomap_next_bucket(map))
				return false;
			continue;
		}
		unsigned slot = map->next_slot++;
		enum gomap_use use = gomap_slot_use(map->in, &map->slots, map->bucket, slot, map->old);
		if (use == GOMAP_EMPTY || (use == GOMAP_MOVED && !map->moved))
			continue;
		gomap_entry_get(map->in, &map->slots, map->bucket, map->bucket_address, slot, entry);
		return true;
	}
}

/* ---- Any entry */

void gomap_index_init(struct gomap_index *index, const struct gomap *start)
{
	struct gomap at = *start, mark = at;
	size_t marks = 0, capacity = 0;
	*index = (struct gomap_index){.at = at};
	while (gomap_next(&at, &index->last)) {
		if (index->count % INDEX_STEP == 0)
			MEM_PUSH(index->marks, marks, capacity, mark);
		if (++index->count % INDEX_STEP == 0)
			mark = at;
	}
}

void gomap_index_fini(struct gomap_index *index)
{
	free(index->marks);
	*index = (struct gomap_index){0};
}

void gomap_index_get(struct gomap_index *index, uint64_t n, struct gomap_entry *entry)
{
	if (n + 1 < index->next || n >= index->next + INDEX_STEP) {
		index->at = index->marks[n / INDEX_STEP];
		index->next = n / INDEX_STEP * INDEX_STEP;
	}
	while (index->next <= n && gomap_next(&index->at, &index->last))
		index->next++;
	*entry = index->last;
}

/* ---- Without a type */

void gomap_layouts_init(struct gomap_layouts *layouts, unsigned width)
{
	for (size_t i = 0; i < GOMAP_KINDS; i++)
		for (size_t n = 0; n < GOMAP_LAYOUTS && gomap_kinds[i]->layout[n]; n++)
			struct_layout_place(gomap_kinds[i]->layout[n], width, 0, &layouts->of[i][n]);
}

void gomap_found_add(struct gomap_found *found, enum gomap_role role, const struct probe *object)
{
	found->other[found->others].role = role;
	found->other[found->others++].object = object->region.ref;
}

bool gomap_look(const struct gomap_layouts *layouts, const struct probe *object, uint64_t pointers,
                struct gomap_found *found)
{
	*found = (struct gomap_found){0};
	for (size_t i = 0; i < GOMAP_KINDS && !found->role; i++)
		gomap_kinds[i]->look(layouts->of[i], object, pointers, found);
	return found->role != GOMAP_NONE;
}
