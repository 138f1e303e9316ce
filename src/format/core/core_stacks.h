/* The frames of a stack, with the words that are pointers. */
#ifndef FORMAT_CORE_STACKS_H
#define FORMAT_CORE_STACKS_H

#include "core_runtime.h"
#include "core_store.h"
#include "format/format.h"

struct stack_place { /* where code goes on */
	uint64_t sp, pc;
};
struct core_stack {
	uint64_t low, high;
	struct stack_place place;
	bool conservative; /* nobody knows which words of the innermost frame are pointers */
};

struct core_walk;
struct core_walk *core_walk_new(const struct core_runtime *rt, const struct sink *sink,
                                struct core_store *store);
/* False: the walk ran out of steps, which only damage makes: something is missing. */
bool core_walk_free(struct core_walk *w);
/* Takes so many steps of work in proportion to the file; false: so many are not left. */
bool core_walk_spend(struct core_walk *w, uint64_t steps);
/* Tells the sink of the frames, the innermost first. Where they cannot be followed to the function
   that the stack begins with, the rest of it is told as one frame, every word of it a pointer. */
void core_walk_stack(struct core_walk *w, const struct core_stack *stack);
/* The number of such stacks. */
uint64_t core_walk_unended(const struct core_walk *w);

#endif
