/* Infers types of objects to which no pointer refers as a whole, from their known parts. */
#include "go/types/propagate.h"

#include "base/mem.h"
#include "go/runtime/size_class.h"
#include "go/types/scalar_fields.h"
#include "heap/heap.h"
#include "heap/profile.h"

#include <stdlib.h>
#include <string.h>

enum { LARGE = 1024, LEAST = 8 };
/* The largest structs, in values, of which one could be a field; pointers for each place in them.
 */
enum { STRIDES = 8, AN_INDEX = 4 };

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
	uint64_t size = gotype_get(t->types, element)->size, offset = (part->offset - from) % size;
	struct scalar_field scalar = scalar_at(t->types, element, offset, NULL);
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

/* Are the parts of an object, at the beginning of which is a value of a type, more of these, and
   nowhere else? Of pointers into values that are fields of larger ones, none leads to every place
   between: each rest of a division of their numbers occurs. */
static bool close_parts_repeat(const struct typing *t, const struct region *region, gotype_id type)
{
	uint64_t size = gotype_get(t->types, type)->size, parts = 0;
	uint32_t rests[STRIDES + 1] = {0};
	for (uint32_t p = t->first_part[region->ref]; p; p = t->parts[p - 1].next) {
		uint64_t offset = t->parts[p - 1].offset - region->header;
		if (t->parts[p - 1].type != type || offset % size)
			return false;
		parts++;
		for (unsigned stride = 2; stride <= STRIDES; stride++)
			rests[stride] |= 1u << offset / size % stride;
	}
	for (unsigned stride = 2; stride <= STRIDES && stride * AN_INDEX <= parts; stride++)
		if ((rests[stride] | 1) != (1u << stride) - 1)
			return false;
	return parts >= STRIDES * 2;
}

/* Types an object of which the first value is known as an array of such values, by pointers to many
   of these. */
static void close_repeated(struct typing *t, uint32_t id)
{
	const struct object_type first = t->object[id];
	struct region region;
	regions_get(&t->regions, id, &region);
	uint64_t size = gotype_get(t->types, first.type)->size, room = region.size - region.header;
	enum type_known known = told_known(first.told);
	const enum type_source source = told_source(first.told);
	bool of_pointers = source <= SOURCE_WHOLE || source == SOURCE_PROFILE || source == SOURCE_FIELD
	                   || source == SOURCE_PAIR;
	if (first.count != 1 || !size || size_class_fits(region.size, region.header + size)
	    || !of_pointers || propagate_is_chunk(t, &region)
	    || !close_parts_repeat(t, &region, first.type)
	    || !shape_fits(t, &region, region.header, first.type, room / size))
		return;
	known = known > KNOWN_INFERRED ? KNOWN_INFERRED : known;
	t->object[id] = object_type(first.type, room / size, told_by(SOURCE_WHOLE, known, false));
}

void close_parts(struct typing *t)
{
	for (uint32_t id = 0; id < t->regions.objects; id++)
		if (t->object[id].type && t->first_part[id])
			close_repeated(t, id);
		else if (t->first_part[id])
			close_parts_close_object(t, id);
}

/* ---- Profiles */

/* Objects allocated at one place with one size have one type: copies known types within a
   profile. */

/* Returns an object of the profile whose type and size all typed objects of it share, or
   OBJECT_NONE. */
static uint32_t model_of(const struct typing *t, uint32_t profile)
{
	const struct profiles *p = &t->heap->profiles;
	uint32_t model = OBJECT_NONE;
	for (uint32_t i = p->first[profile]; i < p->first[profile + 1]; i++) {
		uint32_t id = p->sample[p->by_profile[i]].object;
		if (id == OBJECT_NONE || !t->object[id].type
		    || told_source(t->object[id].told) == SOURCE_BLOCK)
			continue;
		if (model != OBJECT_NONE
		    && (t->object[id].type != t->object[model].type
		        || heap_size(t->heap, id) != heap_size(t->heap, model)))
			return OBJECT_NONE;
		model = id;
	}
	return model;
}

void close_profiles(struct typing *t)
{
	const struct profiles *p = &t->heap->profiles;
	for (uint32_t profile = 0; profile < p->count; profile++) {
		uint32_t model = model_of(t, profile);
		for (uint32_t i = p->first[profile]; model != OBJECT_NONE && i < p->first[profile + 1];
		     i++) {
			uint32_t id = p->sample[p->by_profile[i]].object;
			if (id == OBJECT_NONE || t->object[id].type
			    || heap_size(t->heap, id) != heap_size(t->heap, model))
				continue;
			propagate_add_as(
				t,
				(struct type_claim){heap_address(t->heap, id), t->object[model].type,
			                        t->object[model].count, SOURCE_PROFILE,
			                        t->object[model].told & TOLD_TEXT ? TYPE_CLAIM_TEXT : 0},
				t->object[model].told);
		}
	}
}

/* ---- Structs around known parts */

/* Infers types of objects to which only pointers into the middle, or to the first field, refer: the
   struct with such a field at that offset, if only one fits. */

enum { NESTED = 3, LARGEST = 8192 };

/* Index of structs by field: type and offset of a field lead to a chain of structs. */
struct holders {
	struct typing *typing;
	struct map first; /* key -> index + 1 */
	struct link {
		gotype_id type;
		uint32_t next;
	} * links;
	size_t count, capacity;
};

static uint64_t contain_key_of(gotype_id field, uint64_t offset)
{
	return (uint64_t)field << 32 ^ offset;
}

static void contain_add_fields(struct holders *h, gotype_id whole, gotype_id part, uint64_t offset,
                               int depth)
{
	struct gotypes *types = h->typing->types;
	const struct gotype *type = gotype_get(types, part);
	for (uint32_t i = 0; i < type->fields && depth < NESTED; i++) {
		const struct gofield *field = gotype_field(types, type->first_field + i);
		uint64_t key = contain_key_of(field->type, offset + field->offset), first = 0;
		if (!field->type || gotype_get(types, field->type)->kind != GO_STRUCT)
			continue;
		map_get(&h->first, key, &first);
		MEM_PUSH(h->links, h->count, h->capacity, (struct link){whole, (uint32_t)first});
		map_put(&h->first, key, h->count);
		contain_add_fields(h, whole, field->type, offset + field->offset, depth + 1);
	}
}

static void index_structs(struct holders *h)
{
	struct gotypes *types = h->typing->types;
	gotypes_complete(types);
	for (gotype_id id = 1; id <= gotypes_count(types); id++) {
		const struct gotype *type = gotype_get(types, id);
		if (type->kind == GO_STRUCT && type->size <= LARGEST)
			contain_add_fields(h, id, id, 0, 0);
	}
}

static bool contain_is_named(struct typing *t, gotype_id id, const char *name)
{
	return strcmp(gotype_get(t->types, id)->name, name) == 0;
}

/* Returns false for a time.Ticker without a period and for a time.Timer with one: their types look
   alike. */
static bool is_right_timer(struct typing *t, const struct region *region, gotype_id type)
{
	uint64_t r = 0, period = 0;
	gotype_id timer = gotype_field_named(t->types, type, "r", &r);
	if (!timer || !gotype_field_named(t->types, timer, "period", &period))
		return true;
	uint64_t at = region->header + r + period;
	if (at + t->regions.width > region->size)
		return false;
	bool periodic = region_word(&t->regions, region, at) != 0;
	return periodic ? !contain_is_named(t, type, "time.Timer")
	                : !contain_is_named(t, type, "time.Ticker");
}

/* Returns the only struct with that field at that offset that fits the object; 0: none or
   several. */
static gotype_id contain_holder_of(struct holders *h, const struct region *region, gotype_id field,
                                   uint64_t offset)
{
	struct typing *t = h->typing;
	uint64_t link = 0;
	gotype_id found = 0;
	map_get(&h->first, contain_key_of(field, offset), &link);
	for (; link; link = h->links[link - 1].next) {
		gotype_id type = h->links[link - 1].type;
		uint64_t bytes = gotype_get(t->types, type)->size + region->header;
		if (type == found || !size_class_fits(region->size, bytes)
		    || !shape_fits(t, region, region->header, type, 1) || !is_right_timer(t, region, type))
			continue;
		if (found)
			return 0;
		found = type;
	}
	return found;
}

static void contain_close_object(struct holders *h, uint32_t id, gotype_id timer,
                                 gotype_id user_timer)
{
	struct typing *t = h->typing;
	struct region region;
	regions_get(&t->regions, id, &region);
	for (uint32_t p = t->first_part[id]; p && !t->object[id].type; p = t->parts[p - 1].next) {
		const struct typed_part part = t->parts[p - 1];
		gotype_id field = part.type == timer && user_timer ? user_timer : part.type;
		gotype_id whole = contain_holder_of(h, &region, field, part.offset - region.header);
		if (whole)
			propagate_add_as(
				t, (struct type_claim){region.address + region.header, whole, 1, SOURCE_WHOLE, 0},
				part.source);
	}
}

void close_holders(struct typing *t)
{
	struct holders h = {.typing = t};
	/* up to Go 1.22 package time has a copy of the runtime's type */
	gotype_id timer = gotypes_named(t->types, "runtime.timer");
	gotype_id user_timer = gotypes_named(t->types, "time.runtimeTimer");
	index_structs(&h);
	for (uint32_t id = 0; id < t->regions.objects; id++)
		if (!t->object[id].type && t->first_part[id])
			contain_close_object(&h, id, timer, user_timer);
	map_free(&h.first);
	free(h.links);
}
