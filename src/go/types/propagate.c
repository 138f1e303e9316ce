/* Propagation with a worklist until nothing changes. */
#include "go/types/propagate.h"

#include "base/mem.h"
#include "base/progress.h"

#include <stdlib.h>

enum { PARTS = 64, STEP = 512 };

/* Queues a typed value if it has pointers. */
static void propagate_push(struct typing *t, const struct region *region, uint64_t offset,
                           struct object_type what)
{
	const struct shape *shape = shape_of(t, what.type);
	if (shape->pointers || shape->special)
		work_put(&t->queue, (struct work){region->address + offset, region->ref, region->run,
		                                  what.count, what.type, told_known((uint8_t)what.told)});
}

/* Returns true for a part of a map, or a pointer to one, that determines the type of the map. The
   runtime uses other types for some parts, which do not. */
static bool is_map_part(struct typing *t, gotype_id id)
{
	const struct gotype *type = gotype_get(t->types, id);
	const struct goruntime_struct *special =
		shape_of(t, type->kind == GO_POINTER ? type->elem : id)->special;
	return special && special->tells_map;
}

/* Returns how specific a type is, to choose between two types of the same bytes. */
static int weight(struct typing *t, gotype_id id)
{
	if (is_map_part(t, id))
		return 4;
	switch (gotype_get(t->types, id)->kind) {
	case GO_STRUCT:
		return 3;
	case GO_UINTPTR:
	case GO_UINT8:
	case GO_UNSAFE_POINTER:
		return 1;
	default:
		return 2;
	}
}

static bool propagate_fits(const struct typing *t, const struct region *region, gotype_id type,
                           uint64_t count)
{
	uint64_t bytes = gotype_get(t->types, type)->size * count + region->header;
	if (region->noscan && region->size == 16 && bytes < 16)
		return true; /* the allocator packs small values */
	return size_class_fits(region->size, bytes);
}

static bool propagate_is_better(struct typing *t, const struct region *region, gotype_id type,
                                uint64_t count, uint8_t told)
{
	uint32_t id = region->ref;
	gotype_id old = t->object[id].type;
	if (!old)
		return true;
	if (told_source(t->object[id].told) == SOURCE_HEADER)
		return is_map_part(t, type) && !is_map_part(t, old)
		       && gotype_get(t->types, type)->size == gotype_get(t->types, old)->size;
	if (old == type)
		return count > t->object[id].count;
	if (told_known(told) == KNOWN_GUESS && told_known(t->object[id].told) > KNOWN_GUESS)
		return false;
	bool fit = propagate_fits(t, region, type, count),
		 old_fit = propagate_fits(t, region, old, t->object[id].count);
	if (fit != old_fit)
		return fit;
	if (shape_of(t, type)->shared != shape_of(t, old)->shared)
		return shape_of(t, old)->shared;
	if (told_known(told) != told_known(t->object[id].told))
		return told_known(told) > told_known(t->object[id].told);
	uint64_t bytes = gotype_get(t->types, type)->size * count;
	uint64_t old_bytes = gotype_get(t->types, old)->size * t->object[id].count;
	if (bytes != old_bytes)
		return bytes > old_bytes;
	return weight(t, type) > weight(t, old)
	       || (weight(t, type) == weight(t, old) && told_source(told) >= SOURCE_PAIR
	           && told_source(told) > told_source(t->object[id].told));
}

static void set_base(struct typing *t, const struct region *region, const struct claim *claim)
{
	uint8_t told = claim->told;
	uint32_t id = region->ref;
	bool same = t->object[id].type == claim->type
	            && told_known(told) <= told_known(t->object[id].told);
	uint32_t done = same ? t->object[id].count : 0;
	uint64_t size = gotype_get(t->types, claim->type)->size;
	t->object[id] = object_type(claim->type, claim->count, told);
	propagate_push(t, region, region->header + done * size,
	               object_type(claim->type, claim->count - done, told));
}

/* Returns an existing part that covers a claim, or NULL. *count is the number of parts. */
static struct typed_part *find_part(const struct typing *t, uint32_t id, uint64_t offset,
                                    const struct claim *claim, uint32_t *count)
{
	uint64_t size = gotype_get(t->types, claim->type)->size * claim->count;
	for (uint32_t p = t->first_part[id]; p; p = t->parts[p - 1].next, ++*count) {
		struct typed_part *part = &t->parts[p - 1];
		uint64_t bytes = gotype_get(t->types, part->type)->size * part->count;
		bool same = offset == part->offset && claim->type == part->type && size == bytes;
		if (same
		    || (offset >= part->offset && offset + size <= part->offset + bytes && bytes > size))
			return part;
	}
	return NULL;
}

static bool is_in_base(const struct typing *t, const struct region *region, uint64_t offset,
                       const struct claim *claim)
{
	uint32_t id = region->ref;
	uint64_t size = gotype_get(t->types, claim->type)->size * claim->count;
	uint64_t base = t->object[id].type
	                    ? gotype_get(t->types, t->object[id].type)->size * t->object[id].count
	                    : 0;
	return offset >= region->header && offset + size <= region->header + base;
}

static void propagate_add_part(struct typing *t, const struct region *region, uint64_t offset,
                               const struct claim *claim, uint64_t address)
{
	uint8_t told = claim->told;
	uint32_t count = 0;
	bool object = region->kind == REGION_OBJECT;
	if (object && is_in_base(t, region, offset, claim))
		return;
	struct typed_part *old = object ? find_part(t, region->ref, offset, claim, &count) : NULL;
	if (old && (old->type != claim->type || told_known(old->source) >= told_known(told)))
		return;
	if (!seen_add(&t->seen, address, claim->type, told_known(told)))
		return;
	if (old)
		old->source = told;
	else if (object && count < PARTS) {
		MEM_PUSH(t->parts, t->part_count, t->part_capacity,
		         (struct typed_part){.offset = offset,
		                             .type = claim->type,
		                             .count = (uint32_t)claim->count,
		                             .next = t->first_part[region->ref],
		                             .source = told});
		t->first_part[region->ref] = (uint32_t)t->part_count;
	}
	propagate_push(t, region, offset, object_type(claim->type, claim->count, told));
}

/* Handles a repeated claim for an object: if it is more certain, its targets become more certain,
   too. */
static void raise_base(struct typing *t, const struct region *region, uint8_t better)
{
	uint32_t id = region->ref;
	uint8_t told = t->object[id].told;
	enum type_known known = told_known(better);
	if (known > told_known(told))
		propagate_push(t, region, region->header,
		               object_type(t->object[id].type, t->object[id].count, better));
	if (known > told_known(told)
	    || (known == told_known(told) && told_source(better) > told_source(told)))
		t->object[id].told = (uint8_t)((better & ~TOLD_TEXT) | (told & (TOLD_TEXT | TOLD_COUNT)));
}

/* Handles the length of a slice for an array whose element type is from an allocation header. It
   must need the same slot size, since a slice may cover only the first elements. */
static void tell_count(struct typing *t, const struct region *region, const struct claim *claim)
{
	uint32_t id = region->ref;
	if (told_source(t->object[id].told) != SOURCE_HEADER || !(claim->marks & TYPE_CLAIM_COUNTED))
		return;
	uint64_t each = gotype_get(t->types, t->object[id].type)->size;
	uint64_t bytes = gotype_get(t->types, claim->type)->size * claim->count;
	bool before = t->object[id].told & TOLD_COUNT;
	if (bytes % each || !size_class_fits(region->size, region->header + bytes)
	    || (before && bytes / each <= t->object[id].count))
		return;
	t->object[id].count = (uint32_t)(bytes / each);
	t->object[id].told |= TOLD_COUNT;
}

/* Returns true if a claim adds nothing: at least as many values of the type are known there, as
   certainly. This is the case for most pointers. */
static bool propagate_knows(const struct typing *t, const struct claim *claim, uint64_t address,
                            struct objects_hit hit)
{
	if (hit.object == OBJECT_NONE)
		return false;
	const struct object_type *o = &t->object[hit.object];
	return o->type == claim->type && claim->count <= o->count
	       && told_known(claim->told) <= told_known(o->told)
	       && told_source(claim->told) <= told_source(o->told)
	       && told_source(o->told) != SOURCE_HEADER
	       && address == objects_begin(heap_objects(t->heap), hit, address);
}

static struct claim claim_elements(const struct typing *t, struct claim claim)
{
	const struct gotype *type = gotype_get(t->types, claim.type);
	while (claim.type && type->kind == GO_ARRAY) {
		claim.count =
			type->count <= UINT32_MAX && claim.count <= UINT32_MAX ? claim.count * type->count : 0;
		claim.type = type->elem;
		type = gotype_get(t->types, claim.type);
	}
	return claim;
}

static void claim_base(struct typing *t, const struct region *region, const struct claim *claim)
{
	const struct object_type *o = &t->object[region->ref];
	if (propagate_is_better(t, region, claim->type, claim->count, claim->told))
		set_base(t, region, claim);
	else if (o->type == claim->type && claim->count >= o->count)
		raise_base(t, region, claim->told);
	if (told_known(claim->told) == KNOWN_EXACT)
		tell_count(t, region, claim);
}

bool propagate_is_chunk(const struct typing *t, const struct region *region)
{
	return size_class_is_arena_chunk(region->address, region->size, t->regions.width);
}

/* Adds a claim at an address whose object is known. */
static void propagate_add_at(struct typing *t, uint64_t address, struct claim claim,
                             struct objects_hit hit)
{
	struct region region;
	claim = claim_elements(t, claim);
	uint64_t size = gotype_get(t->types, claim.type)->size;
	if (!claim.type || !claim.count || !size || !address || propagate_knows(t, &claim, address, hit)
	    || !regions_find_hit(&t->regions, address, hit, &region))
		return;
	uint64_t offset = address - region.address, room = region.size - offset;
	if (size > room)
		return;
	if (claim.count > 1 && claim.count > room / size) /* one element fits */
		claim.count = room / size;
	if (claim.count > UINT32_MAX)
		claim.count = UINT32_MAX;
	if (!shape_fits(t, &region, offset, claim.type, claim.count))
		return;
	if (region.kind == REGION_OBJECT && offset == region.header && !propagate_is_chunk(t, &region))
		claim_base(t, &region, &claim);
	else
		propagate_add_part(t, &region, offset, &claim, address);
}

void propagate_add(struct typing *t, struct type_claim claim)
{
	struct objects_hit hit;
	uint8_t told = told_by(claim.source, t->trust, claim.marks & TYPE_CLAIM_TEXT);
	objects_locate_many(heap_objects(t->heap), &claim.address, &hit, 1);
	propagate_add_at(t, claim.address,
	                 (struct claim){claim.count, claim.type, told, (uint8_t)claim.marks}, hit);
}

/* Prefetches the types of objects, and the regions of untyped ones. */
static void propagate_prefetch(const struct typing *t, const struct objects_hit *hit, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (hit[i].object != OBJECT_NONE)
			__builtin_prefetch(&t->object[hit[i].object], 1);
	for (size_t i = 0; i < count; i++)
		if (hit[i].object != OBJECT_NONE && !t->object[hit[i].object].type)
			regions_prefetch(&t->regions, hit[i]);
}

void propagate_flush(struct typing *t)
{
	struct claims *claims = &t->claims;
	struct objects_hit hit[CLAIMS];
	objects_locate_many(heap_objects(t->heap), claims->address, hit, claims->count);
	propagate_prefetch(t, hit, claims->count);
	for (size_t i = 0; i < claims->count; i++)
		propagate_add_at(t, claims->address[i], claims->claim[i], hit[i]);
	claims->count = 0;
}

void propagate_add_as(struct typing *t, struct type_claim claim, uint8_t told)
{
	t->trust = told_known(told);
	propagate_add(t, claim);
	t->trust = KNOWN_EXACT;
}

/* Next values in the queue with their regions, so that contents are prefetched: about as many as
   produce a block of claims. */
enum { AHEAD = 64, LINE = 64 /* bytes of a cache line */ };
struct propagate_next {
	struct work work;
	struct region region;
};

static size_t propagate_take(struct typing *t, struct propagate_next next[AHEAD])
{
	const struct regions *regions = &t->regions;
	size_t count = 0;
	for (; count < AHEAD && work_take(&t->queue, &next[count].work); count++)
		if (next[count].work.ref < regions->objects)
			regions_prefetch(regions,
			                 (struct objects_hit){next[count].work.ref, next[count].work.run});
	for (size_t i = 0; i < count; i++) {
		const struct work *work = &next[i].work;
		struct region *region = &next[i].region;
		if (work->ref < regions->objects)
			regions_find_hit(regions, work->address, (struct objects_hit){work->ref, work->run},
			                 region);
		else
			regions_get(regions, work->ref, region);
		const uint8_t *at = region->data + (work->address - region->address);
		__builtin_prefetch(at);
		__builtin_prefetch(at + LINE);
	}
	return count;
}

static void propagate_follow(struct typing *t, const struct propagate_next *next)
{
	const struct work *work = &next->work;
	t->trust = (enum type_known)work->known;
	points_to_values(t, &next->region, work->address - next->region.address, work->type,
	                 work->count);
	t->trust = KNOWN_EXACT;
}

bool propagate_all(struct typing *t, struct progress *progress)
{
	struct propagate_next next[AHEAD];
	size_t count;
	for (uint64_t n = 1; (count = propagate_take(t, next)) > 0; n++) {
		for (size_t i = 0; i < count; i++)
			propagate_follow(t, &next[i]);
		propagate_flush(t);
		if (n % STEP == 0 && !progress_step(progress, n * AHEAD))
			return false;
	}
	return true;
}

/* A func value points to a closure: the entry of its function, then the captured variables. */
void propagate_closure(struct typing *t, uint64_t address, gotype_id func)
{
	struct region region;
	bool exact;
	if (!regions_find(&t->regions, address, &region) || region.kind != REGION_OBJECT
	    || address != region.address + region.header || region.size < t->regions.width)
		return;
	if (told_source(t->object[region.ref].told) >= SOURCE_CLOSURE)
		return;
	uint64_t entry = region_word(&t->regions, &region, region.header);
	gotype_id closure = gotypes_closure(t->types, entry - t->bias, &exact);
	if (closure && gotype_get(t->types, closure)->size <= region.size - region.header
	    && shape_fits(t, &region, region.header, closure, 1)) {
		propagate_add(t, (struct type_claim){address, closure, 1, SOURCE_CLOSURE, 0});
	} else if (func && !t->object[region.ref].type) {
		t->object[region.ref] = object_type(func, 1, told_by(SOURCE_CLOSURE, t->trust, false));
	}
}
