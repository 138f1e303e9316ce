/* A heap profile broken down by call stack and by type: a prefix tree of stacks, bottom-up or
   top-down. Along either axis, the parts of a cell add up to the cell.

   A cell is a stack prefix with one type or with all types; it stands for the allocations of all
   stacks that begin with the prefix. Its parts along the stack axis are one frame longer; along the
   type axis, each part has one type. The part "<other>" stands for what the heap profile does not
   attribute and for parts too small to show. */
#pragma once

#include "format/heap_profile.h"

#define CELL_NONE UINT32_MAX

struct breakdown_cell {
	uint32_t frame, type; /* indices in the heap profiles */
	uint64_t size, count;
	uint64_t before; /* size in the heap profile for comparison */
};

enum axis { AXIS_STACK, AXIS_TYPE };

struct breakdown {
	const struct heap_profiles *heap_profiles;
	const struct heap_profile *heap_profile;
	bool counted;
	struct breakdown_cell *cell; /* [0] is the total */
	size_t count, capacity;
	struct heap_profiles *own; /* set for bottom-up breakdowns only */
	uint32_t *by_stack;        /* cells by type and caller, the largest first */
	uint32_t *by_type;         /* cells of a type, by frame, the largest first */
	size_t typed;
	struct map numbers; /* frame << 32 | type -> index of its cell */
};

/* Creates the breakdown of a heap profile. `base` (may be NULL) is a heap profile of the same set
   for comparison. With bottom_up, stacks begin with the allocating function and have at most
   BREAKDOWN_CALLERS callers. */
enum { BREAKDOWN_CALLERS = 256 };
struct breakdown *breakdown_new(const struct heap_profiles *heap_profiles,
                                const struct heap_profile *heap_profile,
                                const struct heap_profile *base, bool bottom_up);
void breakdown_free(struct breakdown *breakdown); /* accepts NULL */

/* A part of a cell; cell CELL_NONE is the rest. It can be negative in a damaged heap profile. */
struct part {
	uint32_t cell;
	bool negative;
	uint64_t size, count, before;
};
/* Stores in *parts the parts of a cell along an axis with at least `least` bytes, and the rest last
   if it is not empty. Returns the number of parts; the caller frees *parts. 0: the heap profile has
   no such breakdown. */
size_t breakdown_parts(const struct breakdown *breakdown, uint32_t cell, enum axis axis,
                       uint64_t least, struct part **parts);
/* Like breakdown_parts, but returns 0 if the only part is the cell's own "<self>". */
size_t breakdown_significant_parts(const struct breakdown *breakdown, uint32_t cell, enum axis axis,
                                   uint64_t least, struct part **parts);
