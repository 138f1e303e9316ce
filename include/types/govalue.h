/* Values of Go types as people read them: numbers, strings, how long slices and maps are, what an
   interface holds. */
#ifndef TYPES_GOVALUE_H
#define TYPES_GOVALUE_H

#include "types/names.h"
#include "types/typing.h"

/* Where what values point to is looked up; all borrowed. names->exe must be there. */
struct govalue {
	const struct heap *heap;
	const struct names *names;
	const struct typing *typing;
};

/* Appends the value whose bytes are data[0 ... room - 1], made visible; nothing where nothing can
   be told or the bytes are too few. */
void govalue_add(const struct govalue *in, gotype_id type, const uint8_t *data, uint64_t room,
                 struct buf *out);

/* The word of a value that points to what it is of, as an offset in it: of an interface the
   second, of strings, slices, maps ... the first. False: the type has none. */
bool govalue_pointer(const struct govalue *in, gotype_id type, uint64_t *offset);

#endif
