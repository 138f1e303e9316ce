/* Strings and arrays of bytes with the same contents. */
#ifndef ANALYSIS_DUPLICATES_H
#define ANALYSIS_DUPLICATES_H

#include "analysis/reach.h"
#include "types/typing.h"

struct duplicate {
	uint32_t example; /* the first of them */
	uint32_t count;
	bool text;       /* all are of strings, which nobody changes */
	uint64_t length; /* in bytes, of each */
	uint64_t wasted; /* bytes of the slots of all but the largest */
};
struct duplicates {
	struct duplicate *item; /* in no order */
	size_t count, capacity;
	uint64_t text_wasted; /* by strings alone */
};

/* Of the objects that roots lead to, those which are one string or one array of bytes, and not
   empty: found by a hash of their contents, then compared. Takes 16 bytes for each of them. NULL:
   cancelled. */
struct duplicates *duplicates_new(const struct reach *reach, const struct typing *typing,
                                  struct progress *progress);
void duplicates_free(struct duplicates *duplicates);
/* The contents of an object that is one of them. False: only when the file has changed. */
bool duplicates_bytes(const struct heap *heap, const struct typing *typing, uint32_t object,
                      const uint8_t **data, uint64_t *length);

#endif
