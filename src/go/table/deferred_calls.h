/* The deferred calls and panics of a goroutine, each with its frame. The position of their records
   in the file and on the stack determines the goroutine and the frame; links between records are
   not followed. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct heap;
struct thread;

struct deferred_call {
	uint32_t frame; /* index among the goroutine's frames, from 0 */
	uint32_t index; /* in heap->defers, or heap->panics */
	bool panic;
	bool placed; /* false: the frame is unknown, and `frame` is the innermost */
};
struct deferred_calls {
	struct deferred_call *at; /* by frame, panics first, then in file order */
	size_t count;
};

struct deferred_calls deferred_calls_find(const struct heap *heap, const struct thread *thread);
void deferred_calls_free(struct deferred_calls *calls);
/* Returns the number of calls and panics in frames before this one. */
size_t deferred_calls_before(const struct deferred_calls *calls, size_t frame);
