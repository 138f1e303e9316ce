/* Corrects impossible types of malformed files. Code that walks over values of a type relies on
   this. */
#include "universe.h"

#include "base/mem.h"

#include <stdlib.h>

#define MAX_SIZE (UINT64_C(1) << 47) /* address space that Go uses */

enum { MAX_WRAPS = 32 }; /* nested one-field structs; real programs have 4 or 5 */

/* The reference of a type to a contained value of the same size; NULL: none. There is at most one,
   since fields do not overlap. */
typedef gotype_id *inner;

/* Removes the type of a field that overlaps another or exceeds the struct. */
static inner check_fields(struct gotypes *types, const struct gotype *type)
{
	uint64_t end = 0;
	inner whole = NULL;
	for (uint32_t i = 0; i < type->fields; i++) {
		struct gofield *field = &types->fields[type->first_field + i];
		uint64_t size = types->types[field->type].size;
		if (field->offset < end || field->offset > type->size || size > type->size - field->offset
		    || (whole && type->size == 0))
			field->type = 0;
		else
			end = field->offset + size;
		if (field->type && size == type->size)
			whole = &field->type;
	}
	return whole;
}

static inner check_elements(struct gotypes *types, struct gotype *type)
{
	uint64_t size = types->types[type->elem].size;
	if (size == 0 ? type->size != 0 : type->count > type->size / size)
		type->elem = 0;
	return type->elem && size == type->size ? &type->elem : NULL;
}

/* Breaks a cycle of values that contain each other at the same size. Types before `first` are
   already checked and refer to none of the new ones. */
static void check_nesting(const inner *wholes, gotype_id first, gotype_id id)
{
	unsigned wraps = 0;
	inner at = wholes[id - first];
	while (at && *at >= first && wraps++ < MAX_WRAPS)
		at = wholes[*at - first];
	if (wraps > MAX_WRAPS)
		*wholes[id - first] = 0;
}

void universe_check(struct gotypes *types)
{
	gotype_id first = types->checked + 1;
	SCOPED_FREE inner *wholes = mem_alloc((types->count - types->checked) * sizeof *wholes);
	for (gotype_id id = first; id <= types->count; id++)
		if (types->types[id].size > MAX_SIZE)
			types->types[id] = (struct gotype){.name = types->types[id].name};
	for (gotype_id id = first; id <= types->count; id++) {
		struct gotype *type = &types->types[id];
		if (type->kind == GO_STRUCT)
			wholes[id - first] = check_fields(types, type);
		else if (type->kind == GO_ARRAY)
			wholes[id - first] = check_elements(types, type);
	}
	for (gotype_id id = first; id <= types->count; id++)
		if (wholes[id - first] && *wholes[id - first])
			check_nesting(wholes, first, id);
	types->checked = types->count;
}
