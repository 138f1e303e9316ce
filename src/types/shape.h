/* The shape of a type, made when it is first asked for. Private to src/types. */
#ifndef TYPES_SHAPE_H
#define TYPES_SHAPE_H

#include "types/propagate.h"

const struct shape *shape_make(struct typing *typing, gotype_id type);
static inline const struct shape *shape_of(struct typing *t, gotype_id type)
{
	bool known = type < t->shape_count && t->shapes[type].known;
	return known ? &t->shapes[type] : shape_make(t, type);
}

#endif
