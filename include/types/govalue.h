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

/* The same without a look at what pointers lead to. */
void govalue_add_short(const struct govalue *in, gotype_id type, const uint8_t *data, uint64_t room,
                       struct buf *out);

/* The word of a value that points to what it is of, as an offset in it: of an interface the
   second, of strings, slices, maps ... the first. False: the type has none. */
bool govalue_pointer(const struct govalue *in, gotype_id type, uint64_t *offset);

/* From now on keys of maps, which are contents of objects, are [key]; of the whole process, before
   anything is named. */
void govalue_hide_keys(bool hide);
/* Appends the key of a map as one writes it behind the map: ["session-0042"], [17], and [key] where
   it is not known. `data` may be NULL. */
void govalue_add_key(const struct govalue *in, gotype_id type, const uint8_t *data, uint64_t size,
                     struct buf *out);
/* Appends the function whose code begins at `entry`, and its line: "main.serve server.go:42".
   False: there is none. */
bool govalue_add_function(const struct govalue *in, uint64_t entry, struct buf *out);
/* Is a type of this name told as a whole, and not by its fields? */
bool govalue_is_known(const char *name);

#endif
