/* The walk over a stack, private to core_stacks.c and core_stack_objects.c. */
#pragma once

#include "core_stacks.h"

#include "base/buf.h"

/* A bitmap of pointer words. `known` is false if the function has no map at all: every word counts
   then. It is true with 0 bits if there are no pointers. */
struct word_map {
	const uint8_t *map;
	uint32_t bits;
	bool known;
};

/* A variable on the stack whose address is taken: its pointers count only if something refers to
   it. */
struct stack_object {
	uint64_t address, size;
	const uint8_t *mask; /* NULL: every word may be a pointer */
	uint32_t words;      /* words covered by the mask */
	uint32_t frame;      /* index of its frame */
	bool reached;
};

/* A frame that was not passed to the sink yet. */
struct made_frame {
	struct frame_record record;
	struct buf list;
};

struct core_walk {
	const struct core_runtime *rt;
	const struct sink *sink;
	struct core_store *store;
	/* remaining steps: only a damaged core file needs more than its size allows */
	uint64_t budget;
	uint64_t left;      /* of these for this stack: one must not take those of all others */
	uint64_t low, high; /* bounds of the stack */
	bool conservative;  /* the next frame has no pointer map: every word counts */
	bool interrupted;   /* the next frame's pc is where it was interrupted, no return address */
	uint64_t unended;   /* stacks whose first frame was not reached */
	uint64_t unfit;     /* frames whose stack objects are not known */
	/* The part of the next frame that belongs to the frame unwound last. */
	struct core_child {
		struct word_map arguments;
		uint64_t offset, bytes, sp, depth;
	} child;
	struct made_frame *frame; /* frames of the goroutine, innermost first */
	size_t frames, frame_capacity;
	struct stack_object *object; /* sorted by address */
	size_t objects, object_capacity;
	uint32_t *reached; /* worklist: objects whose pointers were not scanned yet */
	size_t reached_count, reached_capacity;
};

struct core_frame {
	size_t function; /* SIZE_MAX: not known */
	uint64_t sp, fp, pc, variables, arguments, entry;
	uint64_t return_pc;
};

/* Takes steps from the budget of the stack, and of all. Returns false if one is exhausted. */
bool core_walk_spend_on_stack(struct core_walk *w, uint64_t steps);
/* Appends a field to a list as in dumps: (kind, offset)* 0. */
void core_walk_add_field(struct buf *list, uint64_t offset);
/* Makes every word of the frame made last a pointer. */
void core_walk_add_every_word(struct core_walk *w);

/* src/go/format/core/core_stack_objects.c: adds the stack objects of the frame made last. */
void core_walk_add_objects(struct core_walk *w, const struct core_frame *frame);
/* Adds the pointers of all stack objects that a pointer leads to: one of a frame of this stack, or
   of a record of the goroutine. */
void core_walk_reach_objects(struct core_walk *w, const struct core_stack *stack);
