/* Rules about objects that depend on the Go version that wrote a dump: the header line has stayed
   "go1.7 heap dump" while the allocator changed. */
#pragma once

#include "format/record.h"

struct go_rules {
	/* Spans of one page with slots of at most this many bytes have data of the collector at their
	   end, which the dump contains as if it were objects (ghosts); 0: no ghosts. */
	uint16_t ghost_limit;
	uint16_t bitmap;      /* bytes of the pointer bitmap in a span with pointers */
	uint16_t marks;       /* bytes of inline mark bits in any span (Green Tea) */
	uint16_t header_over; /* see struct layout */
};

/* Returns the rules of a version as in the params record: "go1.24.4", "go1.25.12 X:greenteagc", ""
   before Go 1.17. */
struct go_rules go_rules(struct text version, unsigned pointer_size);
/* Returns the number of slots of a size in a span of `bytes`. `pointers`: its objects have
   pointers. */
uint64_t go_rules_slots(const struct go_rules *rules, uint64_t size, uint64_t bytes, bool pointers);

/* Distinguishes ghosts from objects, which must come in file order. Start with {0}. */
struct ghost_filter {
	uint64_t page;       /* base address of the current page */
	uint64_t size;       /* slot size in it */
	uint64_t scan_end;   /* from here on slots are ghosts if the span has pointers */
	uint64_t noscan_end; /* from here on slots are ghosts in any case */
	bool has_pointers, has_objects;
};
bool ghost_filter_is_ghost(struct ghost_filter *filter, const struct go_rules *rules,
                           const struct object_record *object);

/* Returns the end of the slots, from that of the last object on, that are objects as well if all
   else is the same. */
static inline uint64_t ghost_filter_objects(const struct ghost_filter *filter,
                                            const struct go_rules *rules,
                                            const struct object_record *last)
{
	return last->size > rules->ghost_limit ? UINT64_MAX - last->size : filter->scan_end;
}
