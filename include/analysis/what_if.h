/* What-if: removes objects, roots or references, and counts what becomes unreachable. Each count
   costs a search of the whole heap, and so do up to 63 of them together; for an object's retained
   size see analysis/dominators.h. */
#pragma once

#include "analysis/reach.h"
#include "heap/edges.h"

struct what_if;

/* Creates an empty set of removals. Borrows `heap`, after heap_link. What is removed several times
   counts once. */
struct what_if *what_if_new(const struct heap *heap);
void what_if_free(struct what_if *what_if);

/* Removes an object, a root or all references from one object to another. */
void what_if_object(struct what_if *what_if, uint32_t id);
void what_if_root(struct what_if *what_if, uint32_t root); /* index in heap->roots */
void what_if_reference(struct what_if *what_if, uint32_t from, uint32_t to);
/* Removes all references of an object that stays. */
void what_if_closed(struct what_if *what_if, uint32_t id);
/* Counts the stack of a thread as freed; its roots are others to remove. */
void what_if_stack(struct what_if *what_if, uint32_t thread); /* index in heap->threads */

/* The objects that become unreachable, including removed ones that were reachable. */
struct freed {
	uint64_t objects, bytes; /* bytes: with those of stacks */
};
/* Sets the bit of each object that the removals free, in 64-bit words (base/bits.h). False:
   cancelled. More removals may follow. */
bool what_if_set(const struct what_if *what_if, struct progress *progress, uint64_t *freed);
/* Counts what the removals free. False: cancelled. More removals and counts may follow. */
bool what_if_count(const struct what_if *what_if, struct progress *progress, struct freed *freed);

/* ---- Several sets of removals, each alone, in one search for all of them */

struct err;
enum { WHAT_IF_SETS = 63 }; /* the most of one search */
struct what_if_sets;
/* Finds what is left without each of up to WHAT_IF_SETS sets of removals from one heap. Uses 12
   bytes of memory for each object of the heap, 8 of them until the result is freed. NULL, with
   *err: that is more than `memory`. NULL without: cancelled. */
struct what_if_sets *what_if_sets_new(struct what_if *const *sets, size_t count, uint64_t memory,
                                      struct progress *progress, struct err *err);
void what_if_sets_free(struct what_if_sets *sets);
/* Counts what each set frees. */
void what_if_sets_count(const struct what_if_sets *sets, struct freed *freed);
/* Returns the sets without which an object is left, as bits. */
uint64_t what_if_sets_left(const struct what_if_sets *sets, uint32_t id);
/* Returns the sets that free an object, as bits: none of one that is unreachable anyway. */
uint64_t what_if_sets_freed(const struct what_if_sets *sets, uint32_t id);
