/* Variables of the runtime as the executable's debug information lays them out, by the names that
   the runtime's source gives to them and their fields. Of an executable without it nothing is
   found. */
#ifndef FORMAT_CORE_DEBUG_H
#define FORMAT_CORE_DEBUG_H

#include "core_runtime.h"
#include "exe/gotypes.h"

struct core_debug {
	const struct core_memory *memory;
	struct gotypes *types;
	bool lacking; /* something that was asked for is not there; it counted as 0 */
};

void core_debug_init(struct core_debug *debug, const struct core_runtime *rt);
void core_debug_fini(struct core_debug *debug);

/* A variable, or a part of one. type 0: it is not there. */
struct core_place {
	uint64_t address;
	gotype_id type;
};
/* A global variable: "runtime.memstats". */
struct core_place core_debug_global(const struct core_debug *debug, const char *name);
/* A field, of one of its fields: "heapStats.stats". */
struct core_place core_debug_field(const struct core_debug *debug, struct core_place of,
                                   const char *path);
/* Elements of an array, or of what a slice holds, and how many of them there are. */
uint64_t core_debug_count(const struct core_debug *debug, struct core_place of);
struct core_place core_debug_element(const struct core_debug *debug, struct core_place of,
                                     uint64_t index);
/* What a pointer leads to; type 0: it is nil. */
struct core_place core_debug_target(const struct core_debug *debug, struct core_place of);
/* A number of 1, 2, 4 or 8 bytes, or a struct around one. Sets debug->lacking where none is. */
uint64_t core_debug_number(struct core_debug *debug, struct core_place place);
/* The same of a field of a place. */
uint64_t core_debug_value(struct core_debug *debug, struct core_place of, const char *path);

#endif
