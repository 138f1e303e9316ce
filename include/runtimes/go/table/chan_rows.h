/* The rows of a channel: its elements in the order in which they are received, then the goroutines
   that wait. */
#ifndef RUNTIMES_GO_CHAN_ROWS_H
#define RUNTIMES_GO_CHAN_ROWS_H

#include "goruntime/gochan.h"
#include "table/contents/field.h"

struct chan_rows {
	const struct govalue *in;
	struct gochan chan;
	struct chan_rows_waiter {
		const struct thread *thread; /* NULL: the dump has no record of it */
		uint64_t address;            /* of its runtime.g */
		bool sends;
	} * waiters;
	size_t waiter_count, waiter_capacity;
};

/* Initializes the rows of a channel from its header. False: `data` is not a channel's header. */
bool chan_rows_init(struct chan_rows *rows, const struct govalue *in, gotype_id type,
                    const uint8_t *data, uint64_t size);
void chan_rows_fini(struct chan_rows *rows);
uint64_t chan_rows_count(const struct chan_rows *rows);
void chan_rows_get(const struct chan_rows *rows, uint64_t n, struct field *field, struct buf *name);

#endif
