/* Pointers on the stacks of a Go heap dump that its records do not list: those in variables whose
   address is taken, at which the collector looks where a pointer of the same stack leads to them
   (runtime/mgcmark.go: scanstack). The executable says where these variables are. Without it a
   pointer into a frame makes every word of that frame one. A core file lists all pointers. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct exe;
struct heap;

/* A word of a frame that leads to an object or into the same stack. */
struct stack_word {
	uint32_t frame, offset; /* index in heap->frames; bytes from its sp on */
	bool guess;             /* every word of the frame counts */
	bool unlikely;          /* of these, one before any place that a pointer leads to */
};
struct stack_words {
	const struct stack_word *word;
	size_t count;
};

/* Sets the program of a heap, which must stay open until heap_link; `bias` is its load bias. Call
   it before heap_link. NULL: not known, as without this call. */
void heap_use_program(struct heap *heap, const struct exe *exe, uint64_t bias);
/* Returns the words of a frame, by offset. Requires heap_link. */
struct stack_words heap_stack_words(const struct heap *heap, uint32_t frame);
