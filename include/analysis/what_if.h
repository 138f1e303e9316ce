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

/* ---- Several sets, each removed alone, in one search for all of them */

struct err;
/* Borrowed. A set may have an object or a root twice; those of several sets may be the same. */
struct what_if_set {
	struct ids objects, roots; /* roots: indices in heap->roots */
	struct ids closed;         /* objects of which only the references go */
};
enum { WHAT_IF_SETS = 63 }; /* the most of one search */
/* Counts what each of up to WHAT_IF_SETS sets frees if all objects and roots of this set alone go,
   after heap_link. Uses 12 bytes of memory for each object of the heap meanwhile. False, with *err:
   that is more than `memory`. False without: cancelled. */
bool what_if_sets(const struct heap *heap, const struct what_if_set *sets, size_t count,
                  uint64_t memory, struct progress *progress, struct freed *freed, struct err *err);
