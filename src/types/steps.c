/* Lists the pointers in values of a type once per type, with nested fields flattened, so that
   following them is a loop over a short list. */
#include "types/propagate.h"
#include "types/shape.h"

#include "base/mem.h"
#include "goruntime/goiface.h"

#include <string.h>

/* Prefix of the pointer type in code that is shared by all pointer types: it says nothing about the
   target. */
static const char any_pointer[] = "go.shape.*";

enum { DEPTH = 64, STEPS = 1 << 16 /* as many as a shape has words */ };

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
