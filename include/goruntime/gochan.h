/* Channels: what is in them, the elements that wait in their buffer, and the goroutines that wait
   for them (runtime/chan.go: hchan, sudog). */
#ifndef GORUNTIME_GOCHAN_H
#define GORUNTIME_GOCHAN_H

#include "goruntime/probe.h"
#include "goruntime/struct_view.h"

/* ---- By its type */

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
bool gochan_read(const struct goruntime *in, gotype_id type, const uint8_t *data, uint64_t size,
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

/* The buffer of a header, which has elements of a type. False: there is none. */
bool gochan_buffer(const struct goruntime_place *header, gotype_id elem, struct pointee *buffer);
/* Where a header of Go 1.`minor`, from 23 on, has the timer that sends to it. */
uint64_t gochan_timer_offset(unsigned width, unsigned minor);
/* How many elements are in the channel whose header is at an address, and how many have room.
   False: that is not known. */
bool gochan_length(const struct heap *heap, uint64_t header, uint64_t *length, uint64_t *room);

/* ---- Without a type: by where its pointers are and by numbers that must agree */

/* Where its fields are, by version: some have come in between. */
struct gochan_layouts {
	struct layout_places of[2];
};
void gochan_layouts_init(struct gochan_layouts *layouts, unsigned width);

/* The first and the last sudog of those who wait to receive [0] and to send [1], by the n-th
   layout, in what begins at an address. False: it is too small for a channel. */
struct gochan_queue {
	uint64_t first, last;
};
bool gochan_queues(const struct gochan_layouts *layouts, unsigned n, const struct heap *heap,
                   uint64_t address, struct gochan_queue queues[2]);

struct gochan_found {
	uint64_t room, buffer, elem_size;
	uint64_t elem_type; /* address of the descriptor */
	bool inside;        /* the buffer stands behind it in the same object: of no pointers */
};
/* False: the object is none. */
bool gochan_look(const struct gochan_layouts *layouts, const struct probe *object,
                 struct gochan_found *found);

#endif
