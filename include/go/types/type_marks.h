/* What a pass wants to know about each type, computed once and kept in a byte, so that a pass over
   objects costs one lookup for those that are nothing to it. */
#pragma once

#include "go/exe/gotype.h"

#include <stddef.h>
#include <stdint.h>

/* `struct type_marks marks = {.mark = ..., .self = ...}` is empty; not thread-safe. */
struct type_marks {
	uint8_t (*mark)(void *self, gotype_id type); /* below 255; depends only on the type */
	void *self;
	uint8_t *known; /* by type: 1 + mark; 0: not asked for yet */
	size_t count;
};
void type_marks_fini(struct type_marks *marks);
uint8_t type_marks_find(struct type_marks *marks, gotype_id type);

static inline uint8_t type_marks_of(struct type_marks *marks, gotype_id type)
{
	uint8_t known = type < marks->count ? marks->known[type] : 0;
	return known ? known - 1 : type_marks_find(marks, type);
}
