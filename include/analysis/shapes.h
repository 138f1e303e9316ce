/* Objects by shape: a slot size and the offsets of pointers in the slot. The nearest equivalent of
   a type that every dump has. */
#pragma once

#include "analysis/reach.h"

enum shapes_of { SHAPES_ALL, SHAPES_REACHABLE, SHAPES_UNREACHABLE };

struct shape {
	/* the slot size; the number of pointers; a hash of their offsets, 0 without any */
	uint64_t size, pointers, hash;
	uint64_t objects;
	uint32_t first;  /* the first of its objects by address */
	uint32_t unused; /* written to an index as 0 */
};
struct shapes {
	struct shape *shape; /* sorted by first object */
	size_t count, capacity;
	struct map by_hash; /* hash -> index; a hash that is taken counts up */
};

/* Groups the objects. NULL: cancelled. */
struct shapes *shapes_new(const struct heap *heap, const struct reach *reach, enum shapes_of which,
                          struct progress *progress);
void shapes_free(struct shapes *shapes);
