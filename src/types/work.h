/* What the inference has still to follow: values whose type is known, first in, first out. */
#ifndef TYPES_WORK_H
#define TYPES_WORK_H

#include "types/typing.h"

/* `count` elements of a type at an address in a region (heap/region.h). */
struct work {
	uint64_t address;
	uint32_t ref, run; /* of the region; of an object the run as well */
	uint32_t count;
	gotype_id type : 24;
	uint32_t known : 8; /* enum type_known: how surely they are of it */
};

/* `struct work_queue queue = {0}` is empty. */
struct work_queue {
	struct work_block *first, *last;
	struct work_block *spare; /* one that is empty, NULL: none */
	size_t head, tail;        /* in the first block the next to be taken, in the last one the end */
};

void work_put(struct work_queue *queue, struct work work);
bool work_take(struct work_queue *queue, struct work *work); /* false: it is empty */
void work_clear(struct work_queue *queue);

#endif
