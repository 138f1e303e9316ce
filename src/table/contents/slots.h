/* The pointers to objects in a thread's frames. They are consecutive roots: frame by frame,
   innermost first. */
#pragma once

#include <stdint.h>

struct heap;

struct slots {
	const struct thread *thread;
	uint32_t first_frame, frames; /* in heap->frames */
	uint32_t first_root, roots;   /* in heap->roots */
};

/* Returns the slots of a thread, or only those of its frame `depth` if that is not
   UINT32_MAX. */
struct slots *slots_new(const struct heap *heap, const struct thread *thread, uint32_t depth);
