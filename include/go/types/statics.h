/* Values among global variables that are no variables and have no symbols: data of `var cache =
   &Cache{...}` and `var names = []string{...}`. They are found through pointers in variables, or in
   other such values. */
#pragma once

#include "go/exe/exe.h"
#include "go/types/typing.h"

struct static_value {
	uint64_t address; /* in the dump */
	gotype_id type;
	uint64_t count; /* number of elements of that type */
	uint64_t size;  /* bytes of an element */
	uint64_t word;  /* address of the pointer to it */
	bool in_slice;  /* the pointer is that of a slice, which has these elements */
	uint32_t depth; /* number of pointers from a variable to it, at least 1 */
};

struct statics;

/* Finds all values. Only this thread may use `types`, which are those of `exe`, meanwhile. Borrows
   all. */
struct statics *statics_new(const struct typing *typing, struct gotypes *types,
                            const struct exe *exe);
void statics_free(struct statics *statics); /* accepts NULL */

/* Returns all values, sorted by address; `statics` may be NULL. */
const struct static_value *statics_all(const struct statics *statics, size_t *count);
/* Returns the value that contains an address, or NULL; `statics` may be NULL. */
const struct static_value *statics_find(const struct statics *statics, uint64_t address);
