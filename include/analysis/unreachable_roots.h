/* Heads of unreachable objects: a head is one that no other unreachable object references. A cycle
   that none references has its first object by address as its head. */
#pragma once

#include "analysis/reach.h"

struct unreachable_root {
	uint32_t object;
	bool ring;               /* only cycles hold it */
	uint64_t objects, bytes; /* reached, itself included, without what earlier heads reach */
};
struct unreachable_roots {
	/* by address, cycles last: together they reach every unreachable object */
	struct unreachable_root *unreachable_root;
	size_t count, capacity;
};

/* Finds the heads. NULL: cancelled. */
struct unreachable_roots *unreachable_roots_new(const struct heap *heap, const struct reach *reach,
                                                struct progress *progress);
void unreachable_roots_free(struct unreachable_roots *unreachable_roots);
