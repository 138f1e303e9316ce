/* Strings and arrays of bytes with the same contents. */
#ifndef ANALYSIS_DUPLICATES_H
#define ANALYSIS_DUPLICATES_H

#include "analysis/reach.h"
#include "types/typing.h"

struct duplicate {
	uint32_t example;      /* the first of them */
	uint32_t first, count; /* duplicates->object[first ...]: all of them */
	bool text;             /* all are contents of strings, which are immutable */
	uint64_t length;       /* in bytes, of each */
	uint64_t wasted;       /* bytes of the slots of all but the largest */
};
struct duplicates {
	struct duplicate *item; /* in no order */
	size_t count, capacity;
	uint32_t *object; /* the copies of all items */
	size_t objects, object_capacity;
};

/* Finds duplicates among the reachable objects that are one non-empty string or byte array: a hash
   of the contents first, then a comparison. Takes 20 bytes for each of them. NULL: cancelled. */
struct duplicates *duplicates_new(const struct reach *reach, const struct typing *typing,
                                  struct progress *progress);
void duplicates_free(struct duplicates *duplicates);
/* Returns the contents of an object that is one of them. False: only if the file has changed. */
bool duplicates_bytes(const struct heap *heap, const struct typing *typing, uint32_t object,
                      const uint8_t **data, uint64_t *length);
/* Returns true if there are only zeros in each. */
bool duplicate_is_zeros(const struct heap *heap, const struct typing *typing,
                        const struct duplicate *duplicate);

#endif
