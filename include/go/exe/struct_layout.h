/* Runtime structs without descriptors, each described by a table of fields. The tables belong to
   the code that knows the runtime; this code assigns offsets by Go's alignment rules, and makes
   types if the executable has no debug information. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum layout_kind {
	LAYOUT_NUMBER,
	LAYOUT_POINTER,  /* to another struct, or unknown */
	LAYOUT_POINTERS, /* to an array of such pointers */
	LAYOUT_STRUCT,
};

struct layout_field {
	const char *name;
	uint8_t size; /* bytes of a number; 0: a word */
	enum layout_kind kind;
	const struct struct_layout *of; /* NULL: not known */
	unsigned since, until;          /* Go 1.x, first and last version; 0: unbounded */
};

struct struct_layout {
	/* prefix such as "hash<", followed by its type arguments; a full name if there are no fields */
	const char *name;
	/* the last has no name; NULL: the program has a descriptor */
	const struct layout_field *fields;
};
/* The bucket or group type in a map's descriptor. */
extern const struct struct_layout layout_slots;

enum { LAYOUT_FIELDS = 20 }; /* maximum of all structs */

struct layout_places {
	uint64_t at[LAYOUT_FIELDS]; /* per row of the table; UINT64_MAX: not in this version */
	uint64_t size;
};
/* Computes the offsets of the fields in Go 1.`minor` (0: not known, only fields without version
   bounds), with words of `width` bytes. */
void struct_layout_place(const struct struct_layout *layout, unsigned width, unsigned minor,
                         struct layout_places *places);
