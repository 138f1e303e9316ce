/* Queue (FIFO) of typed values whose pointers are to be followed. */
#ifndef TYPES_WORK_H
#define TYPES_WORK_H

#include "types/typing.h"

/* `count` elements of a type at an address in a region (heap/region.h). */
struct work {
	uint64_t address;
	uint32_t ref, run; /* region, and its run if it is an object */
	uint32_t count;
	gotype_id type : 24;
	uint32_t known : 8; /* enum type_known: certainty of the type */
};

/* `struct work_queue queue = {0}` is empty. */
struct work_queue {
	struct work_block *first, *last;
	struct work_block *spare; /* an empty block for reuse; NULL: none */
	size_t head, tail;        /* next position to take in the first block; end in the last one */
};

void work_put(struct work_queue *queue, struct work work);
bool work_take(struct work_queue *queue, struct work *work); /* returns false if it is empty */
void work_clear(struct work_queue *queue);

#endif
