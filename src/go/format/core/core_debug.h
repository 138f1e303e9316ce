/* Runtime variables located with debug information, by the names of variables and fields in the
   runtime's source. Without debug information nothing is found. */
#pragma once

#include "core_runtime.h"
#include "go/exe/gotypes.h"

struct core_debug {
	const struct core_memory *memory;
	struct gotypes *types;
	bool lacking; /* a requested value is missing and counted as 0 */
};

void core_debug_init(struct core_debug *debug, const struct core_runtime *rt);
void core_debug_fini(struct core_debug *debug);

/* A variable or a part of one. type 0: not found. */
struct core_place {
	uint64_t address;
	gotype_id type;
};
/* Returns a global variable such as "runtime.memstats". */
struct core_place core_debug_global(const struct core_debug *debug, const char *name);
/* Returns a field, possibly nested: "heapStats.stats". */
struct core_place core_debug_field(const struct core_debug *debug, struct core_place of,
                                   const char *path);
/* Return the number of elements of an array or slice, and one of them. */
uint64_t core_debug_count(const struct core_debug *debug, struct core_place of);
struct core_place core_debug_element(const struct core_debug *debug, struct core_place of,
                                     uint64_t index);
/* Returns the target of a pointer; type 0: it is nil. */
struct core_place core_debug_target(const struct core_debug *debug, struct core_place of);
/* Reads a number of 1, 2, 4 or 8 bytes, or one wrapped in a struct. Sets debug->lacking if there is
   none. */
uint64_t core_debug_number(struct core_debug *debug, struct core_place place);
/* Reads the number in a field of `of`. */
uint64_t core_debug_value(struct core_debug *debug, struct core_place of, const char *path);
