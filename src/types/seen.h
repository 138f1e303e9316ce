/* Set of (address, type) pairs that were queued, with their certainty, in one word each. */
#ifndef TYPES_SEEN_H
#define TYPES_SEEN_H

#include "types/typing.h"

/* `struct seen seen = {0}` is empty. */
struct seen {
	uint64_t *places; /* open addressing, at most half full; 0 marks an empty place */
	unsigned bits;
	size_t count;
};

/* Returns true the first time, and if it is known more certainly than before. */
bool seen_add(struct seen *seen, uint64_t address, gotype_id type, enum type_known known);
void seen_free(struct seen *seen);

#endif
