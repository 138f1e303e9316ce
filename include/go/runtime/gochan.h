/* Channels: their contents, the elements in their buffer, and the goroutines that wait for them
   (runtime/chan.go: hchan, sudog). */
#pragma once

#include "go/runtime/probe.h"
#include "go/runtime/struct_view.h"

/* ---- With a known type */

struct gochan {
	struct struct_view header;
	gotype_id elem; /* 0: not known */
	uint64_t elem_size;
	uint64_t length, room; /* elements in the buffer, and its capacity */
	uint64_t first;        /* index of the element to be received next */
	uint64_t address;      /* address of the buffer */
	const uint8_t *buffer; /* NULL: no buffer, or not known */
	bool closed;
};

/* Reads a channel from the `size` bytes of its header. Returns false if the type is not that of a
   channel header. */
bool gochan_read(const struct goruntime *in, gotype_id type, const uint8_t *data, uint64_t size,
                 struct gochan *chan);
/* Returns the offset in the buffer of the n-th element in receiving order. */
uint64_t gochan_offset(const struct gochan *chan, uint64_t n);

struct gochan_waiter {
	struct struct_view sudog;
	uint64_t thread; /* address of its runtime.g */
	bool sends;
	bool inside; /* `sudog` is valid: the walk has begun */
};
/* Steps to the next waiting goroutine, receivers first; start with {0}. Returns false at the end.
   The list of a damaged file may be cyclic: callers must limit the number of steps. */
bool gochan_next_waiter(const struct gochan *chan, struct gochan_waiter *waiter);

/* Finds the buffer of a header with elements of a type. Returns false if there is none. */
bool gochan_buffer(const struct goruntime_place *header, gotype_id elem, struct pointee *buffer);
/* Returns the offset of the timer that sends to the channel, in the header of Go 1.`minor`, 23 or
   later. */
uint64_t gochan_timer_offset(unsigned width, unsigned minor);
/* Reads the length and the capacity of the channel whose header is at an address. Returns false if
   they are not known. */
bool gochan_length(const struct heap *heap, uint64_t header, uint64_t *length, uint64_t *room);

/* ---- Without a type: recognized by its pointer words and by numbers that must be consistent */

/* Field offsets by version: some versions have additional fields. */
struct gochan_layouts {
	struct layout_places of[2];
};
void gochan_layouts_init(struct gochan_layouts *layouts, unsigned width);

/* First and last sudog of the receivers [0] and the senders [1], read at an address with the n-th
   layout. Returns false if the memory is too small for a channel. */
struct gochan_queue {
	uint64_t first, last;
};
bool gochan_queues(const struct gochan_layouts *layouts, unsigned n, const struct heap *heap,
                   uint64_t address, struct gochan_queue queues[2]);

struct gochan_found {
	uint64_t room, buffer, elem_size;
	uint64_t elem_type; /* address of the type descriptor */
	bool inside;        /* the buffer follows in the same object: elements without pointers */
};
/* Returns false if the object is no channel. */
bool gochan_look(const struct gochan_layouts *layouts, const struct probe *object,
                 struct gochan_found *found);
