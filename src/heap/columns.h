/* The edges of the heap graph, private to src/heap: two arrays forward, two backward.
   References of object i: target[starts_at(i)] ... target[starts_at(i + 1) - 1]; referrers
   likewise. */
#ifndef HEAP_COLUMNS_H
#define HEAP_COLUMNS_H

#include "heap/heap.h"

struct heap_columns {
	struct starts starts, back_starts;
	uint32_t *target, *source;
	size_t target_size, source_size; /* bytes reserved, for mem_column_free */
	uint64_t low, span;              /* every object lies in low ... low + span - 1 */
	size_t root_capacity;
	struct long_holders *long_holders; /* src/heap/reference.c */
};

/* For heap_read, once the objects are there: from then on anyone may look for one. */
void columns_find_bounds(struct heap *heap);

/* The object at an address that may be anything; what most words of a dump are is told apart
   quickly. */
static inline bool columns_may_find(const struct heap *heap, uint64_t address)
{
	return address - heap->columns->low < heap->columns->span;
}

static inline uint32_t columns_find(const struct heap *heap, uint64_t address)
{
	return columns_may_find(heap, address) ? objects_find(heap->objects, address) : OBJECT_NONE;
}

/* The array of a kind's records: items have `stride` bytes and begin with the record. Two kinds
   that share an array have the same `first`. Nothing for those that have none. */
struct heap_list {
	void **items;
	uint32_t *count;
	size_t stride;
	enum record_kind first;
};
struct heap_list heap_list(struct heap *heap, enum record_kind kind);

void heap_link_roots(struct heap *heap); /* src/heap/roots.c, after the edges */
/* heap_link of a log: src/heap/log_objects_link.c */
bool heap_link_log(struct heap *heap, struct progress *progress, struct err *err);

#endif
