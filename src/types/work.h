/* What the inference has still to follow: values whose type is known, first in, first out. */
#ifndef TYPES_WORK_H
#define TYPES_WORK_H

#include "types/typing.h"

/* `count` elements of a type in a region (heap/region.h), from an offset on. */
struct work {
	uint64_t offset;
	uint32_t ref;
	gotype_id type;
	uint32_t count;
	enum type_known known; /* how surely they are of it */
};

/* `struct work_queue queue = {0}` is empty. */
struct work_queue {
	struct work_block *first, *last;
	size_t head, tail; /* in the first block the next to be taken, in the last one the end */
};

void work_put(struct work_queue *queue, struct work work);
bool work_take(struct work_queue *queue, struct work *work); /* false: it is empty */
void work_clear(struct work_queue *queue);

#endif
