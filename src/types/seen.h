/* Which types of which addresses have been queued, and how surely they were known, in one word
   each. */
#ifndef TYPES_SEEN_H
#define TYPES_SEEN_H

#include "types/typing.h"

/* `struct seen seen = {0}` is empty. */
struct seen {
	uint64_t *places; /* open addressing, at most half full; 0 is empty */
	unsigned bits;
	size_t count;
};

/* True the first time, and when it is known more surely than before. */
bool seen_add(struct seen *seen, uint64_t address, gotype_id type, enum type_known known);
void seen_free(struct seen *seen);

#endif
