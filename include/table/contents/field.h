/* One row of the contents of an object: a field, an entry of a map, an element of a channel, a
   word, or some bytes. */
#pragma once

#include "go/types/govalue.h"

struct field {
	const char *kind;    /* "pointer", "value" ...: see the column */
	uint64_t offset;     /* from the object's address; UINT64_MAX: not in the object itself */
	gotype_id type;      /* 0: unknown */
	const uint8_t *data; /* its bytes; NULL: unknown */
	uint64_t size;
	bool is_word, is_pointer;
	uint64_t word;   /* the pointer, or the number of a word */
	uint32_t target; /* the object that it points into, or OBJECT_NONE */
	/* the thread that waits; NULL: the row is not about one */
	const struct thread *thread;
};

/* Returns an empty field. */
static inline struct field field_none(const char *kind)
{
	return (struct field){.kind = kind, .offset = UINT64_MAX, .target = OBJECT_NONE};
}

/* Sets the pointer of a field, and the object that it points into. */
void field_point(const struct heap *heap, uint64_t word, struct field *field);
/* Like field_point for a field with type and bytes: the type determines the pointer. */
void field_point_by_type(const struct govalue *in, struct field *field);
