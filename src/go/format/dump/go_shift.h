/* Lost bytes: what follows may still parse as records. */
#pragma once

#include "format/record.h"

struct go_list { /* of the pointers of an object of `size` bytes, without its 0 */
	const uint8_t *at, *end;
	uint64_t size;
};

static inline struct go_list go_list_of(const struct object_record *r)
{
	return r->data ? (struct go_list){r->fields.at, r->fields.end, r->size} : (struct go_list){0};
}

/* Contents of a record with the list of pointers behind them. */
struct go_contents {
	const uint8_t *data; /* NULL: not available */
	uint64_t size;
	struct fields list;
	/* of the objects before and behind this one; those of another size do not count */
	struct go_list beside[2];
	const struct params_record *params;
	uint64_t segment; /* the address of a segment; 0: it is none */
};

/* Returns true if contents end in what may be the beginning of the list of pointers behind them.
   The list is one of Go 1.5 and later. */
bool go_ends_in_list(const struct go_contents *contents);

/* Returns true if it is the beginning of that list, which the list has lost because bytes of the
   contents are missing. As numbers may look so, too, up to two pairs of the list need words that
   agree: they were pointers to the heap, listed ones have moved, or an object beside has the whole
   list. */
bool go_lost_bytes(const struct go_contents *contents);

/* Returns true if the function of a frame does not contain the place where it goes on: bytes before
   these numbers are missing. */
bool go_frame_is_shifted(const struct frame_record *frame);
