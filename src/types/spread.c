#include "types/spread.h"

#include "base/mem.h"

#include <stdlib.h>

enum { PARTS = 64, STEP = 4096 };

static void push(struct typing *t, struct work work)
{
	if (!shape_of(t, work.type)->pointers && shape_of(t, work.type)->special == SPECIAL_NONE)
		return;
	work_put(&t->queue, work);
}

/* True the first time. */
static bool first_time(struct typing *t, uint64_t address, gotype_id type)
{
	uint64_t key = address * 0x9e3779b97f4a7c15 ^ type, ignored;
	if (map_get(&t->seen, key, &ignored))
		return false;
	map_put(&t->seen, key, 1);
	return true;
}

/* How much a type says about bytes that two types cover alike. */
static int weight(const struct typing *t, gotype_id id)
{
	switch (gotype_get(t->types, id)->kind) {
	case GO_STRUCT: return 3;
	case GO_UINTPTR: case GO_UINT8: case GO_UNSAFE_POINTER: return 1;
	default: return 2;
	}
}

static bool fits(const struct typing *t, const struct region *region, gotype_id type,
				 uint64_t count)
{
	uint64_t bytes = gotype_get(t->types, type)->size * count + region->header;
	if (region->noscan && region->size == 16 && bytes < 16)
		return true; /* the allocator packs small values */
	return size_class_fits(region->size, bytes);
}

static bool is_better(const struct typing *t, const struct region *region, gotype_id type,
					  uint64_t count, enum type_source source)
{
	uint32_t id = region->ref;
	gotype_id old = t->type[id];
	if (!old)
		return true;
	if ((t->source[id] & ~SOURCE_TEXT) == SOURCE_HEADER)
		return false;
	if (old == type)
		return count > t->count[id];
	bool fit = fits(t, region, type, count), old_fit = fits(t, region, old, t->count[id]);
	if (fit != old_fit)
		return fit;
	uint64_t bytes = gotype_get(t->types, type)->size * count;
	uint64_t old_bytes = gotype_get(t->types, old)->size * t->count[id];
	if (bytes != old_bytes)
		return bytes > old_bytes;
	return weight(t, type) > weight(t, old) ||
	       (weight(t, type) == weight(t, old) && source > (t->source[id] & ~SOURCE_TEXT) &&
	        source >= SOURCE_PAIR);
}

static void set_base(struct typing *t, const struct region *region, const struct claim *claim)
{
	uint32_t id = region->ref;
	bool same = t->type[id] == claim->type;
	uint32_t done = same ? t->count[id] : 0;
	uint64_t size = gotype_get(t->types, claim->type)->size;
	t->type[id] = claim->type;
	t->count[id] = (uint32_t)claim->count;
	t->source[id] = (uint8_t)(claim->source | (claim->text ? SOURCE_TEXT : 0));
	push(t, (struct work){region->header + done * size, id, claim->type,
	                       (uint32_t)claim->count - done});
}

static void add_part(struct typing *t, const struct region *region, uint64_t offset,
                     const struct claim *claim)
{
	uint64_t size = gotype_get(t->types, claim->type)->size * claim->count;
	uint32_t known = 0;
	if (region->kind == REGION_OBJECT) {
		uint32_t id = region->ref;
		uint64_t base = t->type[id] ? gotype_get(t->types, t->type[id])->size * t->count[id] : 0;
		if (offset >= region->header && offset + size <= region->header + base)
			return;
		for (uint32_t p = t->first_part[id]; p; p = t->parts[p - 1].next, known++) {
			const struct typed_part *part = &t->parts[p - 1];
			uint64_t bytes = gotype_get(t->types, part->type)->size * part->count;
			if (offset >= part->offset && offset + size <= part->offset + bytes && bytes > size)
				return;
		}
	}
	if (!first_time(t, claim->address, claim->type))
		return;
	if (region->kind == REGION_OBJECT && known < PARTS) {
		t->parts = mem_grow(t->parts, t->part_count, &t->part_capacity, sizeof *t->parts);
		t->parts[t->part_count++] = (struct typed_part){
			offset, claim->type, (uint32_t)claim->count, t->first_part[region->ref],
			(uint8_t)(claim->source | (claim->text ? SOURCE_TEXT : 0)),
		};
		t->first_part[region->ref] = (uint32_t)t->part_count;
	}
	push(t, (struct work){offset, region->ref, claim->type, (uint32_t)claim->count});
}

/* The same type once more, by a better source. */
static void raise_source(uint8_t *source, enum type_source better)
{
	if ((*source & ~SOURCE_TEXT) < better)
		*source = (uint8_t)(better | (*source & SOURCE_TEXT));
}

void spread_add(struct typing *t, struct claim claim)
{
	struct region region;
	const struct gotype *type = gotype_get(t->types, claim.type);
	while (claim.type && type->kind == GO_ARRAY) {
		claim.count =
			type->count <= UINT32_MAX && claim.count <= UINT32_MAX ? claim.count * type->count : 0;
		claim.type = type->elem;
		type = gotype_get(t->types, claim.type);
	}
	if (!claim.type || !claim.count || !type->size || !claim.address ||
	    !regions_find(&t->regions, claim.address, &region))
		return;
	uint64_t offset = claim.address - region.address, room = region.size - offset;
	if (type->size > room)
		return;
	if (claim.count > room / type->size)
		claim.count = room / type->size;
	if (claim.count > UINT32_MAX)
		claim.count = UINT32_MAX;
	if (!shape_fits(t, &region, offset, claim.type, claim.count))
		return;
	if (region.kind != REGION_OBJECT || offset != region.header)
		add_part(t, &region, offset, &claim);
	else if (is_better(t, &region, claim.type, claim.count, claim.source))
		set_base(t, &region, &claim);
	else if (t->type[region.ref] == claim.type)
		raise_source(&t->source[region.ref], claim.source);
}

bool spread_all(struct typing *t, struct progress *progress)
{
	struct region region;
	struct work work;
	for (uint64_t n = 1; work_take(&t->queue, &work); n++) {
		uint64_t size = gotype_get(t->types, work.type)->size;
		regions_get(&t->regions, work.ref, &region);
		for (uint32_t i = 0; i < work.count; i++)
			follow_value(t, &region, work.offset + i * size, work.type);
		if (n % STEP == 0 && !progress_step(progress, n))
			return false;
	}
	return true;
}
