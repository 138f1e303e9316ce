/* What the version of Go that wrote a dump says about its objects. The header of the file has
   stayed "go1.7 heap dump" while the allocator changed under it. */
#ifndef FORMAT_GO_RULES_H
#define FORMAT_GO_RULES_H

#include "format/record.h"

struct go_rules {
	/* Spans of one page whose slots have at most this many bytes keep the collector's data at their
	   end, which the dump shows as if it were objects; 0: they do not. */
	uint16_t ghost_limit;
	uint16_t bitmap;      /* bytes that a span with pointers keeps for its pointer bitmap */
	uint16_t marks;       /* bytes that any span keeps for inline mark bits (Green Tea) */
	uint16_t header_over; /* see struct layout */
};

/* `version` as in the params record: "go1.24.4", "go1.25.12 X:greenteagc", "" before Go 1.17. */
struct go_rules go_rules(struct text version, unsigned pointer_size);
/* How many slots of a size a span of so many bytes has; do its objects have pointers? */
uint64_t go_rules_slots(const struct go_rules *rules, uint64_t size, uint64_t bytes, bool pointers);

/* Tells ghosts from objects, for objects in the order of the file. Start with {0}. */
struct ghost_filter {
	uint64_t page;       /* base address of the page being read */
	uint64_t size;       /* slot size there */
	uint64_t scan_end;   /* from here on slots are ghosts if the span has pointers */
	uint64_t noscan_end; /* from here on they are ghosts in any case */
	bool has_pointers, has_objects;
};
bool ghost_filter_is_ghost(struct ghost_filter *filter, const struct go_rules *rules,
                           const struct object_record *object);

#endif
