/* Formats values of Go types for people: numbers, strings, lengths of slices and maps, contents of
   interfaces. */
#pragma once

#include "go/types/names.h"
#include "go/types/typing.h"

/* Context for following pointers; all borrowed. names->exe must be set. */
struct govalue {
	const struct heap *heap;
	const struct names *names;
	const struct typing *typing;
	bool hide_keys; /* keys of maps, which are contents of objects, are shown as [key] */
};

/* Appends the value whose bytes are data[0 ... room - 1], escaped; appends nothing if there are too
   few bytes or nothing is known. */
void govalue_add(const struct govalue *in, gotype_id type, const uint8_t *data, uint64_t room,
                 struct buf *out);

/* Like govalue_add, without following pointers. */
void govalue_add_short(const struct govalue *in, gotype_id type, const uint8_t *data, uint64_t room,
                       struct buf *out);

/* Finds the pointer word of a value: the second word of an interface, the first of strings, slices,
   maps ...; returns its offset. Returns false if the type has none. */
bool govalue_pointer(const struct govalue *in, gotype_id type, uint64_t *offset);

/* Appends a map key as an index expression: ["session-0042"], [17], or [key] if it is unknown.
   `data` may be NULL. Returns false if it is unknown or cut, so that other keys may look alike. */
bool govalue_add_key(const struct govalue *in, gotype_id type, const uint8_t *data, uint64_t size,
                     struct buf *out);
/* Appends the function whose code begins at `entry`, and its line: "main.serve server.go:42".
   Returns false if there is none. */
bool govalue_add_function(const struct govalue *in, uint64_t entry, struct buf *out);
/* Returns true if values of this type are shown as a whole rather than by fields. */
bool govalue_is_known(const char *name);
