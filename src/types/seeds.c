/* Where types come from before any of them spreads. */
#include "types/spread.h"

enum { TINY_SLOT = 16, LARGE = 1024 };

/* As many elements as there is room for; where fewer of them would have come into the same slot,
   only who points there knows how many there are. */
static void add_header(struct typing *t, const struct region *region, gotype_id type)
{
	uint64_t size = gotype_get(t->types, type)->size;
	uint64_t count = size ? (region->size - region->header) / size : 0;
	bool sure = count && !size_class_fits(region->size, region->header + (count - 1) * size);
	spread_add(t, (struct claim){region->address + region->header, type, count, SOURCE_HEADER,
	                             sure ? CLAIM_COUNTED : 0});
}

/* Go >= 1.22: the allocator has written the type of the elements into the first word of the
   slot. */
void seed_headers(struct typing *t)
{
	struct objects_run_view run;
	for (size_t i = 0; i < objects_run_count(t->heap->objects); i++) {
		objects_run(t->heap->objects, i, &run);
		for (uint32_t id = run.first; run.header && id < run.first + run.count; id++) {
			struct region region;
			regions_get(&t->regions, id, &region);
			uint64_t word = region_word(&t->regions, &region, 0);
			gotype_id type = gotypes_at(t->types, word - t->bias);
			if (type)
				add_header(t, &region, type);
		}
	}
}

static void add_record(struct typing *t, uint64_t address, const char *name)
{
	spread_add(t, (struct claim){address, gotypes_named(t->types, name), 1, SOURCE_RECORD, 0});
}

void seed_records(struct typing *t)
{
	const struct heap *heap = t->heap;
	for (uint32_t i = 0; i < heap->goroutine_count; i++) {
		add_record(t, heap->goroutines[i].record.address, "runtime.g");
		add_record(t, heap->goroutines[i].record.m, "runtime.m");
	}
	for (uint32_t i = 0; i < heap->thread_count; i++)
		add_record(t, heap->threads[i].address, "runtime.m");
	for (uint32_t i = 0; i < heap->defer_count; i++)
		add_record(t, heap->defers[i].address, "runtime._defer");
	for (uint32_t i = 0; i < heap->finalizer_count; i++) {
		gotype_id pointer = gotypes_at(t->types, heap->finalizers[i].object_type - t->bias);
		if (pointer && gotype_get(t->types, pointer)->kind == GO_POINTER)
			spread_add(t, (struct claim){heap->finalizers[i].object,
			                             gotype_get(t->types, pointer)->elem, 1, SOURCE_RECORD,
			                             0});
	}
}

/* Two words may look like an interface by chance: a pointer to a type and another pointer, side by
   side in data or in a frame. An interface holds a value of its own, of no interface's type, which
   has pointers exactly where the type has them. */
static bool is_held(struct typing *t, uint64_t data, gotype_id id, bool direct)
{
	struct region region;
	const struct gotype *type = gotype_get(t->types, id);
	if (type->kind == GO_INTERFACE && !direct)
		return false;
	if (!regions_find(&t->regions, data, &region) || region.kind != REGION_OBJECT)
		return true; /* of other memory nothing says how far a value reaches */
	uint64_t offset = data - region.address, size = region.header + type->size;
	bool tiny = region.noscan && region.size <= TINY_SLOT && type->size < TINY_SLOT;
	bool own = tiny || (offset == region.header && size_class_fits(region.size, size));
	return (direct || own) && shape_equals(t, &region, offset, id);
}

/* An itab or a type, then a pointer, anywhere. */
static void seed_pairs_of(struct typing *t, const struct region *region)
{
	unsigned width = t->regions.width;
	for (uint64_t at = width; at + width <= region->size; at += width) {
		bool direct = false;
		if (!region_points(&t->regions, region, at))
			continue;
		uint64_t first = region_word(&t->regions, region, at - width);
		uint64_t data = region_word(&t->regions, region, at), ignored;
		if (!data || !first || objects_has_page(t->heap->objects, first))
			continue;
		bool itab = map_get(&t->itabs, first, &ignored);
		gotype_id type = follow_interface(t, first, itab, &direct);
		if (!type)
			continue;
		if (direct && gotype_get(t->types, type)->kind == GO_POINTER)
			type = gotype_get(t->types, type)->elem;
		else if (direct && gotype_get(t->types, type)->kind == GO_MAP)
			type = gotype_get(t->types, type)->header;
		else if (direct)
			continue;
		if (is_held(t, data, type, direct))
			spread_add(t, (struct claim){data, type, 1, SOURCE_LOOKS, 0});
	}
}

/* Does an object's type say what all of its fields are? Of some closures only the function is
   known. */
static bool is_filled(const struct typing *t, const struct region *region)
{
	if (region->kind != REGION_OBJECT || !t->type[region->ref])
		return false;
	uint64_t size = gotype_get(t->types, t->type[region->ref])->size;
	return size_class_fits(region->size, region->header + size * t->count[region->ref]);
}

void seed_pairs(struct typing *t)
{
	struct region region;
	uint32_t total = t->regions.objects + t->regions.segments + t->regions.frames;
	for (uint32_t ref = 0; ref < total; ref++) {
		regions_get(&t->regions, ref, &region);
		if (!region.noscan && !is_filled(t, &region))
			seed_pairs_of(t, &region);
	}
}


/* An object without a type as a whole, all of whose known parts are of one type and in step. */
static void close_object(struct typing *t, uint32_t id)
{
	struct region region;
	const struct typed_part *first = &t->parts[t->first_part[id] - 1];
	const struct gotype *type = gotype_get(t->types, first->type);
	uint64_t size = type->size, covered = 0;
	enum type_known known = KNOWN_NONE;
	regions_get(&t->regions, id, &region);
	uint64_t phase = (first->offset - region.header) % size, room = region.size - region.header;
	for (uint32_t p = t->first_part[id]; p; p = t->parts[p - 1].next) {
		const struct typed_part *part = &t->parts[p - 1];
		if (part->type != first->type || (part->offset - region.header) % size != phase)
			return;
		covered += part->count * size;
		known = told_known(part->source) > known ? told_known(part->source) : known;
	}
	/* Bytes and large rows of numbers are what they seem by any part; a small struct may be more. */
	bool row = region.noscan && type->kind != GO_STRUCT && (size == 1 || room >= LARGE);
	if (phase || (!row && covered * 2 <= room && room / size > 2) || room < size)
		return;
	if (!shape_fits(t, &region, region.header, first->type, room / size))
		return;
	t->type[id] = first->type;
	t->count[id] = (uint32_t)(room / size);
	t->told[id] = told_by(SOURCE_WHOLE, known, first->source & TOLD_TEXT);
}

void close_parts(struct typing *t)
{
	for (uint32_t id = 0; id < t->regions.objects; id++)
		if (!t->type[id] && t->first_part[id])
			close_object(t, id);
}
