/* How much of an object a reference stands for: a pointer for one value of its type, a slice and a
   string for as many elements as they are long. */
#pragma once

#include "go/types/typing.h"
#include "table/contents/datum.h"

struct extent {
	uint64_t bytes, room; /* in use, from the target on; of a slice also its capacity */
	gotype_id type;       /* of the value that a pointer stands for, or of a slice's elements */
	bool array;           /* it references consecutive elements */
};

/* Stores the extent of the word at an offset of a value, in bytes. False: unknown. */
bool extent_of(const struct heap *heap, const struct typing *typing, const struct datum *value,
               uint64_t offset, struct extent *extent);
