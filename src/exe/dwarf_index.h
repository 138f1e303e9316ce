/* What DWARF has at the top of its units, found in one pass: functions, global variables, types.
   Private to src/exe. */
#ifndef EXE_DWARF_INDEX_H
#define EXE_DWARF_INDEX_H

#include "base/map.h"
#include "dwarf_attrs.h"
#include "dwarf_file.h"

struct dwarf_function {
	uint64_t low, high;
	Dwarf_Off die;
};
struct dwarf_global {
	const char *name;
	uint64_t address;
	Dwarf_Off type;
};

struct dwarf_index {
	const struct image *image;
	struct debug_damage *damage; /* borrowed; counts what cannot be read */
	struct dwarf_file file;
	Dwarf *dwarf;              /* the file's */
	unsigned minor;            /* of the compiler's version: 24 of go1.24.4; 0: not known */
	uint64_t types, types_end; /* the runtime's descriptors; 0: not known */
	struct dwarf_function *functions;
	size_t function_count, function_capacity; /* by low */
	struct dwarf_global *globals;
	size_t global_count, global_capacity; /* by address */
	Dwarf_Off *types_at;
	size_t type_count, type_capacity;        /* all types, in the order of the file */
	struct map named_functions, named_types; /* hash of the name -> offset */
	/* Address of a runtime descriptor -> offset of the type */
	struct map descriptors;
	uint64_t name_bytes; /* still to be spent on names */
};

/* NULL when the file has no DWARF of Go that can be read; *damage says whether it has some that
   cannot. types .. types_end is where the runtime's descriptors are. */
struct dwarf_index *dwarf_index_new(const struct image *image, uint64_t types, uint64_t types_end,
                                    struct debug_damage *damage);
void dwarf_index_free(struct dwarf_index *index);

/* The function that begins at an address. */
const struct dwarf_function *dwarf_function_at(const struct dwarf_index *index, uint64_t entry);
/* Offsets by name, 0: none. A function's may be its abstract DIE, without code. */
Dwarf_Off dwarf_function_named(const struct dwarf_index *index, const char *name);
Dwarf_Off dwarf_type_named(const struct dwarf_index *index, const char *name);
/* The address of the runtime's descriptor by the value of AT_GO_RUNTIME_TYPE; 0: none. */
uint64_t dwarf_descriptor(const struct dwarf_index *index, uint64_t value);

#endif
