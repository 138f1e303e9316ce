/* What an address in the middle of an object is: of a block of small values one of these, else a
   field, an element, an entry of a map. */
#ifndef TABLE_INNER_H
#define TABLE_INNER_H

#include "analysis/analysis.h"

struct inner {
	uint64_t offset; /* of the value, from the object's address */
	gotype_id type;
	struct buf name; /* how one writes it behind the object: "[20].N"; empty: a value in a block */
	struct buf text; /* the value as people read it; empty: not known */
};

/* `address` lies in the object. False: it is its start, and no block's, or nothing is known of what
   is there. */
bool inner_init(struct inner *inner, const struct analysis *analysis, uint32_t object,
                uint64_t address);
void inner_fini(struct inner *inner);

#endif
