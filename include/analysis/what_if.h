/* What-if: removes objects, roots or references, and counts what becomes unreachable. Each count
   costs a search of the whole heap; for an object's retained size see analysis/dominators.h. */
#pragma once

#include "analysis/reach.h"
#include "heap/edges.h"

struct what_if;

/* Creates an empty set of removals. Borrows `reach`, which must be complete. */
struct what_if *what_if_new(const struct reach *reach);
void what_if_free(struct what_if *what_if);

/* Removes an object; a second removal has no effect. */
void what_if_object(struct what_if *what_if, uint32_t id);
void what_if_root(struct what_if *what_if, uint32_t root); /* index in heap->roots */
/* Removes all references from one object to another. */
void what_if_reference(struct what_if *what_if, uint32_t from, uint32_t to);

/* The objects that become unreachable, including removed ones that were reachable. */
struct freed {
	uint64_t objects, bytes;
};
/* Sets the bit of each object that the removals free, in 64-bit words (base/bits.h). False:
   cancelled. More removals may follow. */
bool what_if_set(const struct what_if *what_if, struct progress *progress, uint64_t *freed);
/* Counts what the removals free. False: cancelled. More removals and counts may follow. */
bool what_if_count(const struct what_if *what_if, struct progress *progress, struct freed *freed);
/* Counts what is freed if some objects are removed. False: cancelled. */
bool what_if_count_objects(const struct reach *reach, struct ids objects, struct progress *progress,
                           struct freed *freed);

/* ---- Several sets, each removed alone, in one search for all of them */

struct err;
/* Borrowed. A set may have an object or a root twice; those of several sets may be the same. */
struct what_if_set {
	struct ids objects, roots; /* roots: indices in heap->roots */
	struct ids closed;         /* objects of which only the references go */
};
enum { WHAT_IF_SETS = 63 }; /* the most of one search */
struct what_if_sets;
/* Finds what is left without each of up to WHAT_IF_SETS sets, if all objects and roots of this set
   alone go, after heap_link. Uses 12 bytes of memory for each object of the heap, 8 of them until
   the result is freed. NULL, with *err: that is more than `memory`. NULL without: cancelled. */
struct what_if_sets *what_if_sets_new(const struct heap *heap, const struct what_if_set *sets,
                                      size_t count, uint64_t memory, struct progress *progress,
                                      struct err *err);
void what_if_sets_free(struct what_if_sets *sets);
/* Counts what each set frees. */
void what_if_sets_count(const struct what_if_sets *sets, struct freed *freed);
/* Returns the sets without which an object is left, as bits. */
uint64_t what_if_sets_left(const struct what_if_sets *sets, uint32_t id);
