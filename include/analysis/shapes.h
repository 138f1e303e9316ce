/* Objects by shape: those of one slot size whose pointers are at the same offsets. The nearest
   thing to a type that every dump has. */
#ifndef ANALYSIS_SHAPES_H
#define ANALYSIS_SHAPES_H

#include "analysis/reach.h"

enum shapes_of { SHAPES_ALL, SHAPES_REACHABLE, SHAPES_UNREACHABLE };

struct shape {
	uint64_t size, pointers, hash; /* of the slot; in it; of their offsets, 0 without any */
	uint64_t objects;
	uint32_t first; /* of its objects, by address */
};
struct shapes {
	struct shape *shape; /* by first object */
	size_t count, capacity;
	uint32_t *places;   /* hash table of shape + 1; 0: empty */
	size_t place_count; /* a power of two */
};

/* NULL: cancelled. */
struct shapes *shapes_new(const struct heap *heap, const struct reach *reach, enum shapes_of which,
                          struct progress *progress);
void shapes_free(struct shapes *shapes);

#endif
