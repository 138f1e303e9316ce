#include "types/gomap.h"

#include "base/mem.h"
#include "types/struct_view.h"

#include <stdlib.h>

enum {
	EMPTY_REST = 0,
	FULL_OF_GO_1_11 = 4,
	FULL = 5,          /* runtime/map.go: emptyRest, minTopHash */
	SWISS_FREE = 0x80, /* empty, deleted: the highest bit */
	SAME_SIZE_GROW = 8,
	OUTSIDE = 1024,  /* buckets that may be outside of the heap: of maps on a stack, in data */
	INDEX_STEP = 256 /* entries from mark to mark */
};

/* ---- The header */

static gotype_id pointee(const struct gotypes *types, gotype_id id)
{
	const struct gotype *type = gotype_get(types, id);
	return type->kind == GO_POINTER ? type->elem : 0;
}

static bool start_buckets(struct gomap *map, const struct struct_view *header)
{
	const struct gotypes *types = typing_types(map->in->typing);
	uint64_t log, flags = 0;
	gotype_id slots = pointee(types, gotype_field_named(types, header->type, "buckets", NULL));
	if (!gomap_slots(map->in, slots, &map->slots)
	    || !struct_view_number(header, "count", &map->length)
	    || !struct_view_number(header, "B", &log) || log >= 48
	    || !struct_view_number(header, "buckets", &map->array[0])
	    || !struct_view_number(header, "oldbuckets", &map->array[1]))
		return false;
	struct_view_number(header, "flags", &flags);
	map->count[0] = 1ULL << log;
	map->count[1] = flags & SAME_SIZE_GROW || log == 0 ? map->count[0] : map->count[0] / 2;
	return true;
}

static bool start_groups(struct gomap *map, const struct struct_view *header)
{
	const struct gotypes *types = typing_types(map->in->typing);
	gotype_id directory = gotype_field_named(types, header->type, "dirPtr", NULL);
	map->table = pointee(types, pointee(types, directory));
	gotype_id groups = gotype_field_named(types, map->table, "groups", NULL);
	gotype_id slots = pointee(types, gotype_field_named(types, groups, "data", NULL));
	if (!gomap_slots(map->in, slots, &map->slots)
	    || !struct_view_number(header, "used", &map->length)
	    || !struct_view_number(header, "dirPtr", &map->array[0])
	    || !struct_view_number(header, "dirLen", &map->count[0]))
		return false;
	map->directory = map->count[0] > 0;
	if (!map->directory)
		map->count[0] = 1;
	return true;
}

bool gomap_start(const struct govalue *in, gotype_id type, const uint8_t *data, uint64_t size,
                 struct gomap *map)
{
	struct struct_view header = {in, type, data, size};
	*map = (struct gomap){.in = in};
	if (!start_buckets(map, &header) && !start_groups(map, &header))
		return false;
	map->budget = objects_bytes(in->heap->objects) / map->slots.size + OUTSIDE;
	return true;
}

/* ---- From bucket to bucket */

static const uint8_t *memory(struct gomap *map, uint64_t address, uint64_t size)
{
	const uint8_t *data = govalue_piece_at(&map->piece, address, size);
	if (data || !govalue_piece(map->in, address, &map->piece))
		return data ? data : govalue_memory(map->in, address, size);
	return govalue_piece_at(&map->piece, address, size);
}

/* The groups of the table that stands at a place of the directory. */
static bool gomap_open_table(struct gomap *map, uint64_t place)
{
	const struct govalue *in = map->in;
	struct struct_view table, groups;
	uint64_t mask;
	const uint8_t *word = memory(map, place, in->heap->params.layout.pointer_size);
	uint64_t address = word ? heap_word(in->heap, word) : 0;
	if (!address || address == map->table_before)
		return false;
	map->table_before = address;
	if (!struct_view_at(in, map->table, address, &table)
	    || !struct_view_field(&table, "groups", &groups)
	    || !struct_view_number(&groups, "data", &map->address)
	    || !struct_view_number(&groups, "lengthMask", &mask))
		return false;
	map->buckets = mask + 1;
	return true;
}

static bool open_array(struct gomap *map, uint64_t n)
{
	map->buckets = 0;
	if (map->directory) {
		uint64_t width = map->in->heap->params.layout.pointer_size;
		if (!gomap_open_table(map, map->array[0] + n * width))
			return false;
	} else {
		map->address = map->array[n];
		map->buckets = map->count[n];
		map->old = n == 1;
	}
	uint64_t size = map->slots.size;
	bool fits = map->address && map->buckets > 0 && map->buckets <= UINT64_MAX / size;
	map->data = fits ? memory(map, map->address, map->buckets * size) : NULL;
	map->next_bucket = 0;
	return map->data != NULL;
}

/* The next array that has buckets. */
static bool next_array(struct gomap *map)
{
	uint64_t arrays = map->directory ? map->count[0] : 2;
	while (map->next_array < arrays && map->budget > 0) {
		map->budget -= map->directory;
		if (open_array(map, map->next_array++))
			return true;
	}
	return false;
}

/* The bucket that a chain goes on with. */
static bool next_in_chain(struct gomap *map)
{
	if (!map->bucket || map->slots.overflow == UINT64_MAX)
		return false;
	map->bucket_address = heap_word(map->in->heap, map->bucket + map->slots.overflow);
	map->bucket = map->bucket_address ? memory(map, map->bucket_address, map->slots.size) : NULL;
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

/* What was moved out of an old bucket leaves 2, 3 and 4 in all of its slots; up to Go 1.11 it was
   1, 2 and 3, and 4 stood for an entry. */
static bool is_moved(const uint8_t *control)
{
	for (unsigned i = 0; i < GOMAP_SLOTS; i++)
		if (control[i] == EMPTY_REST || control[i] >= FULL)
			return false;
	return true;
}

static bool gomap_is_used(const struct gomap *map, unsigned slot)
{
	const uint8_t *control = map->bucket + map->slots.control;
	if (map->slots.swiss) {
		bool last_first = map->in->heap->params.layout.big_endian;
		return !(control[last_first ? GOMAP_SLOTS - 1 - slot : slot] & SWISS_FREE);
	}
	return control[slot] >= FULL_OF_GO_1_11 && !(map->old && is_moved(control));
}

bool gomap_next(struct gomap *map, struct gomap_entry *entry)
{
	for (;;) {
		if (!map->bucket || map->next_slot == GOMAP_SLOTS) {
			if (!gomap_next_bucket(map))
				return false;
			continue;
		}
		unsigned slot = map->next_slot++;
		if (!gomap_is_used(map, slot))
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
		if (index->count % INDEX_STEP == 0) {
			index->marks = mem_grow(index->marks, marks, &capacity, sizeof *index->marks);
			index->marks[marks++] = mark;
		}
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
