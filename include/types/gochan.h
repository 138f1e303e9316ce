/* What is in a channel: the elements that wait in its buffer, and the goroutines that wait for it
   (runtime/chan.go: hchan, sudog). */
#ifndef TYPES_GOCHAN_H
#define TYPES_GOCHAN_H

#include "types/struct_view.h"

struct gochan {
	struct struct_view header;
	gotype_id elem; /* 0: not known */
	uint64_t elem_size;
	uint64_t length, room; /* elements in the buffer, and how many fit */
	uint64_t first;        /* place of the one that is received next */
	uint64_t address;      /* of the buffer */
	const uint8_t *buffer; /* NULL: there is none, or it is not known */
	bool closed;
};

/* Of a channel's header; its bytes are at `data`. False: it is none. */
bool gochan_read(const struct govalue *in, gotype_id type, const uint8_t *data, uint64_t size,
                 struct gochan *chan);
/* Where the n-th element in the order of receiving is: an offset in the buffer. */
uint64_t gochan_offset(const struct gochan *chan, uint64_t n);

struct gochan_waiter {
	struct struct_view sudog;
	uint64_t goroutine; /* address of its runtime.g */
	bool sends;
	bool inside; /* `sudog` is one: the walk has begun */
};
/* The next goroutine that waits; start with {0}. Receivers come first. Nothing keeps the list of a
   damaged file from being a circle: the caller must count. */
bool gochan_next_waiter(const struct gochan *chan, struct gochan_waiter *waiter);

#endif
