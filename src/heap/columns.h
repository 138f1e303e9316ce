/* Edges of the heap graph in CSR form, private to src/heap: offsets and targets forward, offsets
   and sources backward. References of object i are target[starts_at(i)] ... target[starts_at(i + 1)
   - 1]; referrers likewise. */
#pragma once

#include "base/starts.h"
#include "format/record.h"
#include "heap/heap.h"
#include "heap/stack_words.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;
struct heap;
struct progress;

struct heap_columns {
	uint64_t serial; /* of the heap among those of this process, from 1 */
	struct starts starts, back_starts;
	uint32_t *target, *source;
	size_t target_size, source_size; /* reserved bytes, for mem_column_free */
	/* PART_NAMES, otherwise NULL: the places of the references in target[] */
	uint32_t *place;
	size_t place_size;
	/* References that do not retain their targets, sorted by source. They are not in target[]. */
	struct weak_reference *weak;
	size_t weak_count, weak_capacity;
	/* Indices in target[] of soft references, ascending. */
	uint64_t *soft;
	size_t soft_count, soft_capacity;
	uint64_t low, span;        /* all objects lie in low ... low + span - 1 */
	pthread_mutex_t reversing; /* locked while the columns backward are made */
	atomic_bool reversed;      /* the columns backward are there */
	bool all_linked; /* each pointer into this range leads to an object; false: not known */
	/* Of a heap that was read without an index; NULL: objects have to be decoded again. */
	struct outline *outline;
	size_t root_capacity;
	/* Set by heap_use_program and heap_find_stack_words; sorted by frame and offset. */
	const struct exe *program;
	uint64_t program_bias;
	struct stack_word *stack_word;
	size_t stack_words, stack_word_capacity;
	struct long_holders *long_holders; /* src/heap/reference.c */
};

/* Sets the address bounds of all objects. heap_read calls it when the objects are complete; from
   then on any thread may look up objects. */
void columns_find_bounds(struct heap *heap);

/* Returns true if an object may be at the address: a fast test that rejects most words. */
static inline bool columns_may_find(const struct heap *heap, uint64_t address)
{
	return address - heap->columns->low < heap->columns->span;
}

static inline uint32_t columns_find(const struct heap *heap, uint64_t address)
{
	return columns_may_find(heap, address) ? objects_find(heap->objects, address) : OBJECT_NONE;
}

/* The array with the records of a kind: items have `stride` bytes and begin with the record. Kinds
   that share an array have the same `first`. Empty for kinds without an array. */
struct heap_list {
	void **items;
	uint32_t *count;
	size_t stride;
	enum record_kind first;
};
struct heap_list heap_list(struct heap *heap, enum record_kind kind);

/* Minimum number of objects for which heap_link works in two halves. Only tests change it. */
extern uint32_t heap_link_parts_from; /* src/heap/link.c */

/* src/heap/stack_words.c: finds pointers in frames that the records of these do not list. */
void heap_find_stack_words(struct heap *heap);
void heap_link_roots(struct heap *heap); /* src/heap/roots.c; call it after the edges are linked */
/* heap_link for logs: src/heap/log_objects_link.c */
bool heap_link_log(struct heap *heap, struct progress *progress, struct err *err);
