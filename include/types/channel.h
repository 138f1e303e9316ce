/* Channels by what is in them: private to src/types. */
#ifndef TYPES_CHANNEL_H
#define TYPES_CHANNEL_H

#include "types/region.h"

/* What runtime.hchan says of itself (runtime/chan.go). */
struct channel {
	uint64_t size;   /* elements that the buffer has room for */
	uint64_t buffer; /* its address */
	uint64_t elem_size;
	uint64_t elem_type; /* address of the descriptor */
	bool inside;        /* the buffer stands behind it in the same object: of no pointers */
};

/* False: the object is none. */
bool channel_look(const struct regions *regions, const struct region *object,
                  struct channel *channel);

#endif
