/* The rows of an object with a type: its fields, or those of each of its elements; for a block of
   small values, the values. */
#pragma once

#include "go/types/scalar_fields.h"
#include "table/contents/datum.h"
#include "table/contents/field.h"

struct typed_fields {
	struct govalue in;
	struct scalar_fields scalars;
	const uint8_t *data; /* the object's bytes, from its address on */
	uint64_t size;       /* number of these bytes */
	struct typed typed;
	uint32_t object;
	bool is_block;       /* each row is a value */
	uint64_t each;       /* bytes of an element */
	uint64_t per, count; /* rows per element, and of all; 0: no type adds to the raw bytes */
	uint64_t end;        /* end of the typed bytes, from the object's address */
};

void typed_fields_init(struct typed_fields *members, const struct analysis *analysis,
                       uint32_t object, const struct object_record *record);
/* Like typed_fields_init for a value of known type that is a part of an object, or in no object.
   Offsets count from its start. */
void typed_fields_init_value(struct typed_fields *members, const struct govalue *in,
                             const struct datum *value);
void typed_fields_fini(struct typed_fields *members);

/* Stores row n and appends its name; a value that is no struct has none. */
void typed_fields_get(struct typed_fields *members, uint64_t n, struct field *field,
                      struct buf *name);
