/* Frames of a stack, with their pointer words. */
#pragma once

#include "core_runtime.h"
#include "core_store.h"
#include "format/format.h"

struct stack_place { /* where code continues */
	uint64_t sp, pc;
};
struct core_stack {
	uint64_t low, high;
	struct stack_place place;
	bool conservative; /* the innermost frame has no pointer map: every word counts */
	/* of the goroutine: its first deferred call and panic, and the closure that it runs; 0: none */
	uint64_t defer, panic, context;
};

struct core_walk;
struct core_walk *core_walk_new(const struct core_runtime *rt, const struct sink *sink,
                                struct core_store *store);
/* Frees the walk. Returns false if it ran out of steps, which happens only in damaged files: frames
   are missing. */
bool core_walk_free(struct core_walk *w);
/* Takes steps from a budget in proportion to the file's size. Returns false if it is exhausted. */
bool core_walk_spend(struct core_walk *w, uint64_t steps);
/* Passes the frames to the sink, innermost first. If unwinding does not reach the first function of
   the stack, the rest becomes one frame in which every word counts as a pointer. */
void core_walk_stack(struct core_walk *w, const struct core_stack *stack);
/* Returns the number of stacks that were not unwound completely. */
uint64_t core_walk_unended(const struct core_walk *w);
/* Returns the number of frames whose stack objects cannot be: every word of these counts. */
uint64_t core_walk_unfit(const struct core_walk *w);
