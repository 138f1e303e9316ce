/* Where bytes stand in the contents of objects, data segments and frames. */
#ifndef ANALYSIS_FIND_H
#define ANALYSIS_FIND_H

#include "heap/heap.h"

enum find_place { FIND_OBJECT, FIND_SEGMENT, FIND_FRAME };

struct find_hit {
	uint32_t place;  /* enum find_place */
	uint32_t index;  /* object, index in heap->segments, in heap->frames */
	uint64_t offset; /* from the object's address, the segment's or frame's first byte */
};

struct find_hits {
	struct find_hit *hit; /* objects first, each by address, then by offset */
	size_t count;
	bool more; /* than were asked for: which are told is then up to the file */
};

/* A hit lies within one object (its allocation header is not part of it), segment or frame; hits
   do not overlap. len is at least 1. After heap_read. False: cancelled. Give back with
   find_hits_fini either way. */
bool find_bytes(const struct heap *heap, const void *bytes, size_t len, size_t limit,
                struct progress *progress, struct find_hits *hits);
void find_hits_fini(struct find_hits *hits);

#endif
