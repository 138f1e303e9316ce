/* Values in data and bss that no variable is, and no symbol names: what the linker has laid out for
   `var cache = &Cache{...}` and `var names = []string{...}`. They are known by the word of a
   variable, or of another one of them, that points at them. */
#ifndef TYPES_STATICS_H
#define TYPES_STATICS_H

#include "types/typing.h"

struct static_value {
	uint64_t address; /* of the dump */
	gotype_id type;
	uint64_t count; /* elements of that type, */
	uint64_t size;  /* each of so many bytes */
	uint64_t word;  /* where the pointer to it is */
	bool in_slice;  /* the word is that of a slice: the elements are its */
	uint32_t depth; /* how many such words are between it and a variable; 1: none */
};

struct statics;

/* Only this thread may use `types` meanwhile. Borrows both. */
struct statics *statics_new(const struct typing *typing, struct gotypes *types);
void statics_free(struct statics *statics); /* NULL: nothing */

/* The one that has an address; NULL: none, or `statics` is. */
const struct static_value *statics_find(const struct statics *statics, uint64_t address);

#endif
