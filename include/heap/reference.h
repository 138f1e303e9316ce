/* Where in an object its pointers to another one are. After heap_link. */
#ifndef HEAP_REFERENCE_H
#define HEAP_REFERENCE_H

#include "heap/heap.h"

/* Offset, from the address of `from`, of its pointer number `nth` (from 0) into `to`; UINT64_MAX:
   none. Any thread may ask. */
uint64_t reference_offset(const struct heap *heap, uint32_t from, uint32_t to, size_t nth);

/* The same without what has been asked before. */
uint64_t reference_offset_scan(const struct heap *heap, uint32_t from, uint32_t to, size_t nth);

/* Of a heap; private to src/heap. */
struct long_holders *long_holders_new(void);
void long_holders_free(struct long_holders *holders);

#endif
