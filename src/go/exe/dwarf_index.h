/* Index of the top-level DIEs of all units, built in one pass: functions, global variables, types.
   Private to src/go/exe. */
#pragma once

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
	uint64_t shift;              /* what other addresses than those in `types` are higher by */
	size_t number;               /* of the file: 0 is the program, then come its parts */
	struct debug_damage *damage; /* borrowed; counts unreadable items */
	struct dwarf_file file;
	Dwarf *dwarf;              /* file.dwarf */
	unsigned minor;            /* minor version of the compiler: 24 for go1.24.4; 0: not known */
	uint64_t types, types_end; /* address range of the runtime's type descriptors; 0: not known */
	struct dwarf_function *functions;
	size_t function_count, function_capacity; /* sorted by low */
	struct dwarf_global *globals;
	size_t global_count, global_capacity; /* sorted by address */
	Dwarf_Off *types_at;
	size_t type_count, type_capacity;        /* all types in file order */
	struct map named_functions, named_types; /* hash of the name -> DIE offset */
	/* address of a runtime type descriptor -> offset of the type's DIE */
	struct map descriptors;
	uint64_t name_bytes; /* remaining budget for names */
};

/* What is told of a file: `types` .. `types_end` as in the index, with addresses of the file. */
struct dwarf_source {
	const struct image *image;
	uint64_t types, types_end, shift;
	size_t number;
};
/* Builds the index. Returns NULL if the file has no readable DWARF of Go; *damage says whether it
   has unreadable DWARF. */
struct dwarf_index *dwarf_index_new(const struct dwarf_source *source, struct debug_damage *damage);
void dwarf_index_free(struct dwarf_index *index);

/* Returns the function whose first instruction is at `entry`, or NULL. */
const struct dwarf_function *dwarf_function_at(const struct dwarf_index *index, uint64_t entry);
/* Return the DIE offset by name, or 0. For a function it may be the abstract DIE, without code. */
Dwarf_Off dwarf_function_named(const struct dwarf_index *index, const char *name);
Dwarf_Off dwarf_type_named(const struct dwarf_index *index, const char *name);
/* Converts a value of AT_GO_RUNTIME_TYPE to the address of the descriptor, shifted; 0: none. */
uint64_t dwarf_descriptor(const struct dwarf_index *index, uint64_t value);
