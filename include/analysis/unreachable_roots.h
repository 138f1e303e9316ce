/* Objects without a root in the dump, by what they hang on: a head is one that no other such object
   points to. A ring that hangs on nothing has its first object in the order of addresses for a
   head. */
#ifndef ANALYSIS_UNREACHABLE_ROOTS_H
#define ANALYSIS_UNREACHABLE_ROOTS_H

#include "analysis/reach.h"

struct unreachable_root {
	uint32_t object;
	bool ring;               /* something that it leads to leads back to it */
	uint64_t objects, bytes; /* that it leads to, itself included, less those of heads before it */
};
struct unreachable_roots {
	struct unreachable_root *unreachable_root; /* by address, rings last: together they lead to
	                                              every such object */
	size_t count, capacity;
};

/* NULL: cancelled. */
struct unreachable_roots *unreachable_roots_new(const struct heap *heap, const struct reach *reach,
                                                struct progress *progress);
void unreachable_roots_free(struct unreachable_roots *unreachable_roots);

#endif
