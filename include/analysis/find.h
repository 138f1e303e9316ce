/* A search for bytes in the contents of objects, data segments and frames. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct heap;
struct progress;

enum find_place { FIND_OBJECT, FIND_SEGMENT, FIND_FRAME };

struct find_hit {
	uint32_t place;  /* enum find_place */
	uint32_t index;  /* object, index in heap->segments, or index in heap->frames */
	uint64_t offset; /* from the address of the object, segment or frame */
};

struct find_hits {
	struct find_hit *hit; /* objects first; by address, then by offset */
	size_t count;
	bool more; /* than `limit`; the order of the file decides which are in `hit` */
};

/* Finds up to `limit` occurrences of len >= 1 bytes, after heap_read. A hit lies within one object
   (without its allocation header), segment or frame; hits do not overlap. False: cancelled. Call
   find_hits_fini in either case. */
bool find_bytes(const struct heap *heap, const void *bytes, size_t len, size_t limit,
                struct progress *progress, struct find_hits *hits);
void find_hits_fini(struct find_hits *hits);
