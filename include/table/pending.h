/* The deferred calls and panics of a goroutine, each with the frame that it belongs to. They are
   found by where their records stand and by the stack; the links between them are not followed. */
#ifndef TABLE_PENDING_H
#define TABLE_PENDING_H

#include "heap/heap.h"

struct pending {
	uint32_t frame; /* of the goroutine, from 0 */
	uint32_t index; /* in heap->defers, or heap->panics */
	bool panic;
	bool placed; /* false: the frame is not known, and the innermost stands for it */
};
struct pendings {
	struct pending *at; /* by frame, panics first, then in the order of the file */
	size_t count;
};

struct pendings pendings_find(const struct heap *heap, const struct goroutine *goroutine);
void pendings_free(struct pendings *pendings);
/* How many belong to frames before this one. */
size_t pendings_before(const struct pendings *pendings, size_t frame);

#endif
