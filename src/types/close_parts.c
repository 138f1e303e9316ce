/* Infers types of objects to which no pointer refers as a whole, from their known parts. */
#include "types/propagate.h"
#include "types/shape.h"

#include "types/scalar_fields.h"

enum { LARGE = 1024, LEAST = 8 };

/* Returns how many elements of a type fill a region, with equal pointer words and no pointers after
   them; 0: they do not. */
static uint64_t elements_of(struct typing *t, const struct region *region, gotype_id type)
{
	uint64_t width = t->regions.width, size = gotype_get(t->types, type)->size;
	uint64_t at = region->header, count = 0;
	if (size != width * shape_of(t, type)->words)
		return 0;
	for (; region->size - at >= size && shape_equals(t, region, at, type); at += size)
		count++;
	for (; at + width <= region->size; at += width)
		if (region_points(&t->regions, region, at))
			return 0;
	return count;
}

/* Returns true if a part is a field of an element of an array that begins at `from`. */
static bool is_field(const struct typing *t, const struct typed_part *part, gotype_id element,
                     uint64_t from)
{
	struct buf name = {0};
	uint64_t size = gotype_get(t->types, element)->size, offset = (part->offset - from) % size;
	struct scalar_field scalar = scalar_at(t->types, element, offset, &name);
	buf_free(&name);
	return scalar.type == part->type && scalar.offset == offset;
}

/* Types a long array of values with pointers, given pointers to or into some of its elements.
   Returns false if it is none. */
static bool close_row(struct typing *t, const struct region *region)
{
	uint32_t id = region->ref, first = t->first_part[id];
	gotype_id element = 0;
	uint64_t largest = 0;
	uint8_t told = 0;
	for (uint32_t p = first; p; p = t->parts[p - 1].next) {
		const struct typed_part *part = &t->parts[p - 1];
		uint64_t size = gotype_get(t->types, part->type)->size;
		if (size <= largest)
			continue;
		element = part->type;
		largest = size;
		told = part->source;
	}
	if (region->noscan || !shape_of(t, element)->pointers || region->size / largest < LEAST)
		return false;
	for (uint32_t p = first; p; p = t->parts[p - 1].next) {
		const struct typed_part *part = &t->parts[p - 1];
		bool whole = part->type == element && (part->offset - region->header) % largest == 0;
		if (!whole && !is_field(t, part, element, region->header))
			return false;
	}
	uint64_t count = elements_of(t, region, element);
	if (count < LEAST)
		return false;
	propagate_add_as(
		t, (struct type_claim){region->address + region->header, element, count, SOURCE_WHOLE, 0},
		told);
	return true;
}

/* Types an object whose known parts all have one type and a common phase. */
static void close_parts_close_object(struct typing *t, uint32_t id)
{
	struct region region;
	const struct typed_part *first = &t->parts[t->first_part[id] - 1];
	const struct gotype *type = gotype_get(t->types, first->type);
	uint64_t size = type->size, covered = 0;
	enum type_known known = KNOWN_NONE;
	regions_get(&t->regions, id, &region);
	if (propagate_is_chunk(t, &region) || close_row(t, &region))
		return;
	uint64_t phase = (first->offset - region.header) % size, room = region.size - region.header;
	for (uint32_t p = t->first_part[id]; p; p = t->parts[p - 1].next) {
		const struct typed_part *part = &t->parts[p - 1];
		if (part->type != first->type || (part->offset - region.header) % size != phase)
			return;
		covered += part->count * size;
		known = told_known(part->source) > known ? told_known(part->source) : known;
	}
	/* Bytes and large arrays of numbers are inferred from any part; a small struct may contain
	   more. */
	bool row = region.noscan && type->kind != GO_STRUCT && (size == 1 || room >= LARGE);
	if (phase || (!row && covered * 2 <= room && room / size > 2) || room < size)
		return;
	if (!shape_fits(t, &region, region.header, first->type, room / size))
		return;
	t->object[id] = object_type(first->type, room / size,
	                            told_by(SOURCE_WHOLE, known, first->source & TOLD_TEXT));
}

void close_parts(struct typing *t)
{
	for (uint32_t id = 0; id < t->regions.objects; id++)
		if (!t->object[id].type && t->first_part[id])
			close_parts_close_object(t, id);
}
