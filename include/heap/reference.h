/* Finds the position of references within an object. Requires heap_link. */
#pragma once

#include "format/record.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct heap;

/* A reference of an object. Strong and soft ones come first, in the order of heap_references();
   weak ones follow. */
struct reference {
	uint32_t target;
	uint32_t place; /* see reference_add_place() */
	enum strength strength;
};
extern const char *const strength_names[STRENGTHS]; /* in JSON: "strong", "soft", ... */

/* Returns the number of references of an object, weak ones included. */
size_t reference_count(const struct heap *heap, uint32_t id);
/* Returns the number of references of all objects before `id`, which may be the number of objects.
 */
size_t reference_count_before(const struct heap *heap, uint32_t id);
/* Returns the object that has reference number `number` of all, in the order of the objects. */
uint32_t reference_owner(const struct heap *heap, size_t number);
/* `number` must be below that count. */
struct reference reference_at(const struct heap *heap, uint32_t id, size_t number);
/* Returns the reference at a place with PLACE_NUMBER. False: it is another place, or the object has
   no such reference. */
bool reference_numbered(const struct heap *heap, uint32_t id, uint64_t place,
                        struct reference *reference);
/* Appends the name of the place of a reference, raw bytes, and returns true; for an element,
   returns false with its index. Appends nothing and returns true if the place is unknown. */
bool reference_add_place(const struct heap *heap, uint32_t place, struct buf *name,
                         uint64_t *index);

/* Returns the place in `from` of its reference number `nth` (from 0) to `to`, weak ones counted
   last: the offset from the address of `from`, or PLACE_NUMBER and its number in a listed object;
   UINT64_MAX: there is none. Thread-safe. Repeated queries about a long object are answered from a
   sorted list. */
uint64_t reference_offset(const struct heap *heap, uint32_t from, uint32_t to, size_t nth);

/* Like reference_offset, without the cache. */
uint64_t reference_offset_scan(const struct heap *heap, uint32_t from, uint32_t to, size_t nth);

/* reference_offset for listed objects, private to src/heap. */
uint64_t listed_reference_find(const struct heap *heap, uint32_t from, uint32_t to, size_t nth);

/* The cache of a heap; private to src/heap. */
struct long_holders *long_holders_new(void);
void long_holders_free(struct long_holders *holders);
