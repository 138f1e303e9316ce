/* Strings and arrays of bytes with the same contents. */
#pragma once

#include "analysis/analysis.h"

enum duplicate_kind {
	DUPLICATE_BYTES,  /* one of them at least is a byte array, which the program may change */
	DUPLICATE_STRING, /* all are contents of strings, which are immutable */
	/* All but one at most are byte arrays that threads or readers and writers of package bufio
	   work with: a single copy would not do, whatever is in them now. */
	DUPLICATE_BUFFER
};

struct duplicate {
	uint32_t example;      /* the first of them */
	uint32_t first, count; /* duplicates->object[first ...]: all of them */
	uint32_t kind;         /* enum duplicate_kind */
	uint64_t length;       /* in bytes, of each */
	uint64_t wasted;       /* bytes of the slots of all but the largest; 0 for buffers */
};
struct duplicates {
	struct duplicate *item; /* by example */
	size_t count, capacity;
	uint32_t *object; /* the copies of all items */
	size_t objects, object_capacity;
};

/* Returns the duplicates among the reachable objects that are one non-empty string or byte array: a
   cached result. A hash of the contents first, then a comparison; takes 24 bytes for each object
   meanwhile. After STAGE_TYPED and STAGE_REACHED. NULL: cancelled. */
const struct duplicates *analysis_duplicates(const struct analysis *analysis,
                                             struct progress *progress);
/* Returns the contents of an object that is one of them. False: only if the file has changed. */
bool duplicates_bytes(const struct heap *heap, const struct typing *typing, uint32_t object,
                      const uint8_t **data, uint64_t *length);
/* Returns true if there are only zeros in each. */
bool duplicate_is_zeros(const struct heap *heap, const struct typing *typing,
                        const struct duplicate *duplicate);
