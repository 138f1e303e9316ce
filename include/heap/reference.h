/* Finds the position of references within an object. Requires heap_link. */
#ifndef HEAP_REFERENCE_H
#define HEAP_REFERENCE_H

#include "heap/heap.h"

/* Returns the offset, from the address of `from`, of its pointer number `nth` (from 0) to `to`;
   UINT64_MAX: none. Thread-safe. Repeated queries about a long object are answered from a sorted
   list. */
uint64_t reference_offset(const struct heap *heap, uint32_t from, uint32_t to, size_t nth);

/* Like reference_offset, without the cache. */
uint64_t reference_offset_scan(const struct heap *heap, uint32_t from, uint32_t to, size_t nth);

/* The cache of a heap; private to src/heap. */
struct long_holders *long_holders_new(void);
void long_holders_free(struct long_holders *holders);

#endif
