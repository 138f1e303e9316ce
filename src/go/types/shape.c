/* Compares the pointer words of types and memory. */
#include "go/types/propagate.h"

#include "base/mem.h"
#include "go/runtime/goiface.h"

#include <stdlib.h>
#include <string.h>

enum { DEPTH = 64, WORDS = 1 << 16, STEPS = WORDS, SAMPLE = 8 };

static void shape_set(struct shape *shape, uint64_t *bits, uint64_t offset, unsigned width)
{
	uint64_t word = offset / width;
	if (offset % width || word >= shape->words)
		return;
	word_bit_set(bits, word);
	shape->pointers |= bits == shape->pointer;
}

/* Marks the pointer words of a type recursively; the depth is limited for malformed debug
   information. */
static void shape_mark(struct typing *t, struct shape *shape, gotype_id id, uint64_t offset,
                       int depth)
{
	unsigned width = t->regions.width;
	const struct gotype *type = gotype_get(t->types, id);
	if (!id || depth > DEPTH || offset / width >= shape->words)
		return;
	switch (type->kind) {
	case GO_POINTER:
	case GO_UNSAFE_POINTER:
	case GO_CHAN:
	case GO_FUNC:
	case GO_MAP:
	case GO_STRING:
	case GO_SLICE:
		shape_set(shape, shape->pointer, offset, width);
		return;
	case GO_INTERFACE:
		shape_set(shape, shape->maybe, offset, width);
		shape_set(shape, shape->pointer, offset + width, width);
		return;
	case GO_ARRAY: {
		const struct gotype *elem = gotype_get(t->types, type->elem);
		for (uint64_t i = 0; type->elem && elem->size && i < type->count && i < WORDS; i++)
			shape_mark(t, shape, type->elem, offset + i * elem->size, depth + 1);
		return;
	}
	case GO_STRUCT:
		for (uint32_t i = 0; i < type->fields; i++) {
			struct gofield field = *gotype_field(t->types, type->first_field + i);
			shape_mark(t, shape, field.type, offset + field.offset, depth + 1);
		}
		return;
	default:
		return;
	}
}

static void grow(struct typing *t, gotype_id id)
{
	if (id < t->shape_count)
		return;
	size_t count = t->shape_count * 2 > id ? t->shape_count * 2 : id + 1024;
	t->shapes = mem_resize(t->shapes, count * sizeof *t->shapes);
	memset(t->shapes + t->shape_count, 0, (count - t->shape_count) * sizeof *t->shapes);
	t->shape_count = count;
}

const struct shape *shape_make(struct typing *t, gotype_id id)
{
	grow(t, id);
	struct shape *shape = &t->shapes[id];
	if (shape->known)
		return shape;
	const struct gotype *type = gotype_get(t->types, id);
	uint64_t words = type->size / t->regions.width;
	shape->words = words < WORDS ? (uint32_t)words : WORDS;
	shape->pointer = mem_alloc((shape->words / 64 + 1UL) * 2 * sizeof *shape->pointer);
	shape->maybe = shape->pointer + shape->words / 64 + 1;
	shape->special = goruntime_struct_of(type);
	shape->shared = strstr(type->name, "go.shape.") != NULL;
	shape->known = true;
	shape_mark(t, shape, id, 0, 0);
	return shape;
}

void propagate_free_shapes(struct typing *t)
{
	for (size_t i = 0; i < t->shape_count; i++) {
		free(t->shapes[i].pointer);
		free(t->shapes[i].steps.step);
	}
	free(t->shapes);
}

/* Compares one element. Returns how many pointer words of the type are none in memory; UINT32_MAX
   if memory has a pointer where the type has none. */
static unsigned mismatches(const struct typing *t, const struct region *region, uint64_t offset,
                           const struct shape *shape)
{
	unsigned missing = 0, width = t->regions.width;
	uint64_t words = shape->words;
	uint64_t room = offset < region->size ? (region->size - offset) >> t->regions.shift : 0;
	words = room < words ? room : words;
	for (uint64_t w = 0; w < words; w += 64) {
		uint64_t count = words - w < 64 ? words - w : 64;
		uint64_t there = region_points_many(&t->regions, region, offset + w * width, count);
		uint64_t wanted = shape->pointer[w / 64] & UINT64_MAX >> (64 - count);
		if (there & ~wanted & ~shape->maybe[w / 64])
			return UINT32_MAX;
		for (uint64_t rest = wanted & ~there; rest; rest &= rest - 1)
			missing++;
	}
	return missing;
}

bool shape_fits(struct typing *t, const struct region *region, uint64_t offset, gotype_id id,
                uint64_t count)
{
	const struct shape *shape = shape_of(t, id);
	uint64_t size = gotype_get(t->types, id)->size;
	if (region->kind == REGION_FRAME)
		return true; /* the mask of a frame has live pointers only */
	if (region->noscan && !shape->pointers)
		return true;
	if (!regions_aligned(&t->regions, size | offset))
		return !shape->pointers;
	for (uint64_t i = 0; i < count; i++) {
		if (i == SAMPLE && count > 2 * SAMPLE)
			i = count - SAMPLE;
		unsigned missing = mismatches(t, region, offset + i * size, shape);
		if (missing == UINT32_MAX)
			return false;
		/* Maps and similar structs may keep pointers in memory without pointer words; pointers to
		   memory outside of the heap are not listed. */
		if (region->noscan && missing && !shape->special && missing > shape->words / 2)
			return false;
		if (!region->noscan && missing > 1 && missing > shape->words / 2)
			return false;
	}
	return true;
}

bool shape_equals(struct typing *t, const struct region *region, uint64_t offset, gotype_id id)
{
	const struct shape *shape = shape_of(t, id);
	if (!shape->pointers && region->noscan)
		return true;
	return regions_aligned(&t->regions, offset) && mismatches(t, region, offset, shape) == 0;
}

/* ---- Steps */

/* Lists the pointers in values of a type once per type, with nested fields flattened, so that
   following them is a loop over a short list. */

/* Prefix of the pointer type in code that is shared by all pointer types: it says nothing about the
   target. */
static const char any_pointer[] = "go.shape.*";

struct stepper {
	struct typing *typing;
	struct step *step;
	size_t count, capacity;
};

static void stepper_add(struct stepper *s, enum step_kind kind, uint64_t offset, gotype_id type)
{
	if (s->count == STEPS)
		return;
	MEM_PUSH(s->step, s->count, s->capacity, (struct step){offset, type, kind});
}

static void stepper_add_type(struct stepper *s, gotype_id id, uint64_t offset, int depth);

static void stepper_add_struct(struct stepper *s, gotype_id id, uint64_t offset, int depth)
{
	const struct gotypes *types = s->typing->types;
	const struct gotype *type = gotype_get(types, id);
	for (uint32_t i = 0; i < type->fields; i++) {
		const struct gofield *field = gotype_field(types, type->first_field + i);
		stepper_add_type(s, field->type, offset + field->offset, depth + 1);
	}
	if (shape_of(s->typing, id)->special)
		stepper_add(s, STEP_SPECIAL, offset, id);
}

static bool has_pointers(struct typing *t, gotype_id id)
{
	return id && gotype_get(t->types, id)->size && shape_of(t, id)->pointers;
}

/* Adds a type recursively; see shape_mark for the limit. */
static void stepper_add_type(struct stepper *s, gotype_id id, uint64_t offset, int depth)
{
	static const enum step_kind kinds[GO_UNSAFE_POINTER + 1] = {
		[GO_POINTER] = STEP_POINTER, [GO_MAP] = STEP_POINTER,         [GO_SLICE] = STEP_SLICE,
		[GO_STRING] = STEP_STRING,   [GO_INTERFACE] = STEP_INTERFACE, [GO_CHAN] = STEP_CHAN,
		[GO_FUNC] = STEP_FUNC,       [GO_ARRAY] = STEP_ARRAY,
	};
	const struct gotype *type = gotype_get(s->typing->types, id);
	enum step_kind kind = kinds[type->kind];
	if (kind == STEP_POINTER && strncmp(type->name, any_pointer, sizeof any_pointer - 1) == 0)
		return;
	if (!id || depth > DEPTH)
		return;
	if (goiface_is_taken_apart(type))
		stepper_add(s, STEP_INTERFACE, offset, gotypes_named(s->typing->types, "interface {}"));
	else if (type->kind == GO_STRUCT)
		stepper_add_struct(s, id, offset, depth);
	else if (kind == STEP_ARRAY && !has_pointers(s->typing, type->elem))
		return;
	else if (kind == STEP_POINTER || kind == STEP_SLICE)
		stepper_add(s, kind, offset, type->kind == GO_MAP ? type->header : type->elem);
	else if (kind)
		stepper_add(s, kind, offset, id);
}

struct steps steps_of(struct typing *t, gotype_id type)
{
	const struct shape *shape = shape_of(t, type);
	if (shape->steps.known)
		return shape->steps;
	struct stepper s = {.typing = t};
	stepper_add_type(&s, type, 0, 0);
	t->shapes[type].steps = (struct steps){s.step, (uint32_t)s.count, true};
	return t->shapes[type].steps;
}
