/* Structs that Go's runtime has and no descriptor tells of, each a table of its fields. Which there
   are is a matter of who knows the runtime; here they get places by Go's rules of alignment, and
   become types where an executable has no debug information. */
#ifndef EXE_STRUCT_LAYOUT_H
#define EXE_STRUCT_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

enum layout_kind {
	LAYOUT_NUMBER,
	LAYOUT_POINTER,  /* to one of another struct, or to what is not known */
	LAYOUT_POINTERS, /* to an array of such pointers */
	LAYOUT_STRUCT,
};

struct layout_field {
	const char *name;
	uint8_t size; /* of a number; 0: a word */
	enum layout_kind kind;
	const struct struct_layout *of; /* NULL: not known */
	unsigned since, until;          /* Go 1.x, the first and the last; 0: always */
};

struct struct_layout {
	const char *name; /* "hash<", behind which follows what it is of; without fields a whole name */
	const struct layout_field *fields; /* the last has no name. NULL: the program has a descriptor
	                                    */
};
/* The bucket or group that the descriptor of a map tells of. */
extern const struct struct_layout layout_slots;

enum { LAYOUT_FIELDS = 20 }; /* no struct here has more */

struct layout_places {
	uint64_t at[LAYOUT_FIELDS]; /* by row of the table; UINT64_MAX: not in this version */
	uint64_t size;
};
/* Where the fields are in Go 1.`minor` (0: not known, those that are always there), with words of
   `width` bytes. */
void struct_layout_place(const struct struct_layout *layout, unsigned width, unsigned minor,
                         struct layout_places *places);

#endif
