/* Blocks are freed as soon as they are consumed: the queue of a large heap reaches millions of
   values, and a growing array would temporarily need twice the memory. */
#include "types/work.h"

#include "base/mem.h"

#include <stdlib.h>

enum { BLOCK = 1 << 14 };

struct work_block {
	struct work_block *next;
	struct work work[BLOCK];
};

void work_put(struct work_queue *queue, struct work work)
{
	if (!queue->last || queue->tail == BLOCK) {
		struct work_block *block = queue->spare ? queue->spare : mem_resize(NULL, sizeof *block);
		block->next = queue->spare = NULL;
		*(queue->last ? &queue->last->next : &queue->first) = block;
		queue->last = block;
		queue->tail = 0;
	}
	queue->last->work[queue->tail++] = work;
}

static void drop_first(struct work_queue *queue)
{
	struct work_block *next = queue->first->next;
	free(queue->spare);
	queue->spare = queue->first;
	queue->first = next;
	queue->head = 0;
	if (!next)
		queue->last = NULL;
}

bool work_take(struct work_queue *queue, struct work *work)
{
	if (!queue->first || (queue->first == queue->last && queue->head == queue->tail))
		return false;
	*work = queue->first->work[queue->head++];
	if (queue->head == BLOCK)
		drop_first(queue);
	return true;
}

void work_clear(struct work_queue *queue)
{
	while (queue->first)
		drop_first(queue);
	free(queue->spare);
	queue->spare = NULL;
}
