/* The value at an address in the middle of an object: one of a block of small values, else a field,
   an element, an entry of a map. */
#pragma once

#include "analysis/analysis.h"

struct inner {
	uint64_t offset; /* of the value, from the object's address */
	gotype_id type;
	struct buf name; /* the step that leads to it: "[20].N"; empty: a value in a block */
	struct buf text; /* the value as the screen shows it; empty: unknown */
};

/* Finds the value at `address`, which lies in the object. False: the address is the start of an
   object that is no block, or nothing is known about the value. */
bool inner_init(struct inner *inner, const struct analysis *analysis, uint32_t object,
                uint64_t address);
void inner_fini(struct inner *inner);
