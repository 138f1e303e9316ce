/* A heap profile broken down: a total into parts by call stack and by type, at any level along
   either axis, so that the parts of a cell always add up to it.

   A cell is a stack and a type, or all types: what stacks that begin with it have allocated.
   Its parts along the stack are the cells one frame longer, along the types those of one type
   each. What the heap profile does not tell of a cell, and what is too small to be shown, is its
   "<other>". */
#ifndef ANALYSIS_BREAKDOWN_H
#define ANALYSIS_BREAKDOWN_H

#include "format/heap_profile.h"

#define CELL_NONE UINT32_MAX

struct breakdown_cell {
	uint32_t frame, type; /* numbers of the heap profiles */
	uint64_t size, count;
	uint64_t before; /* size in the heap profile that it is compared with */
};

enum axis { AXIS_STACK, AXIS_TYPE };

struct breakdown {
	const struct heap_profiles *heap_profiles;
	const struct heap_profile *heap_profile;
	bool counted;
	struct breakdown_cell *cell; /* [0] is everything */
	size_t count, capacity;
	struct heap_profiles *own; /* bottom-up only */
	uint32_t *by_stack;        /* cells by type and caller, the largest first */
	uint32_t *by_type;         /* cells of a type, by frame, the largest first */
	size_t typed;
	uint32_t *places; /* hash table of cell + 1 */
	unsigned bits;
	uint64_t multiplier;
};

/* `base` (may be NULL): a heap profile of the same heap profiles that is compared with. bottom_up:
   stacks begin with the function that allocates, and have so many of its callers. */
enum { BREAKDOWN_CALLERS = 256 };
struct breakdown *breakdown_new(const struct heap_profiles *heap_profiles,
                                const struct heap_profile *heap_profile,
                                const struct heap_profile *base, bool bottom_up);
void breakdown_free(struct breakdown *breakdown); /* NULL: nothing */

/* A part of a cell, or the rest of it: cell CELL_NONE. Of a damaged heap profile that may be
   negative. */
struct part {
	uint32_t cell;
	bool negative, before_negative;
	uint64_t size, count, before;
};
/* The parts of a cell along an axis that have at least `least` bytes, the rest last if there is
   any. Returns how many; free(*parts). 0: the heap profile does not break it down so. */
size_t breakdown_parts(const struct breakdown *breakdown, uint32_t cell, enum axis axis,
                       uint64_t least, struct part **parts);
/* The same, but for a cell whose only part is its own "<self>": that tells nothing more. */
size_t breakdown_significant_parts(const struct breakdown *breakdown, uint32_t cell, enum axis axis,
                                   uint64_t least, struct part **parts);

#endif
