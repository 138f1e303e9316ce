/* The deferred calls and panics of a goroutine, each with the frame that it belongs to. They are
   found by where their records stand and by the stack; the links between them are not followed. */
#ifndef TABLE_DEFERRED_CALLS_H
#define TABLE_DEFERRED_CALLS_H

#include "heap/heap.h"

struct deferred_call {
	uint32_t frame; /* of the goroutine, from 0 */
	uint32_t index; /* in heap->defers, or heap->panics */
	bool panic;
	bool placed; /* false: the frame is not known, and the innermost stands for it */
};
struct deferred_calls {
	struct deferred_call *at; /* by frame, panics first, then in the order of the file */
	size_t count;
};

struct deferred_calls deferred_calls_find(const struct heap *heap,
                                          const struct goroutine *goroutine);
void deferred_calls_free(struct deferred_calls *calls);
/* How many belong to frames before this one. */
size_t deferred_calls_before(const struct deferred_calls *calls, size_t frame);

#endif
