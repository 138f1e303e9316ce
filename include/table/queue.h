/* The rows of a channel: its elements in the order of receiving, then the goroutines that wait. */
#ifndef TABLE_QUEUE_H
#define TABLE_QUEUE_H

#include "table/field.h"
#include "types/gochan.h"

struct queue {
	struct gochan chan;
	struct queue_waiter {
		const struct goroutine *goroutine; /* NULL: the dump has no record of it */
		uint64_t address;                  /* of its runtime.g */
		bool sends;
	} *waiters;
	size_t waiter_count, waiter_capacity;
};

/* Of a channel whose header is this; false: it is none. */
bool queue_init(struct queue *queue, const struct govalue *in, gotype_id type, const uint8_t *data,
                uint64_t size);
void queue_fini(struct queue *queue);
uint64_t queue_count(const struct queue *queue);
void queue_get(const struct queue *queue, uint64_t n, struct field *field, struct buf *name);

#endif
