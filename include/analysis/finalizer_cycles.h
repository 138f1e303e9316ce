/* Finalizers that can never run: what has one is only finalized once nothing leads to it, and all
   that it refers to is kept for the finalizer until then, as is the closure that will be called.
   Where a path leads from there back to the object, it is kept for ever. A cleanup (Go 1.24,
   runtime/mcleanup.go) keeps only its closure and the argument, not what its object refers to. */
#ifndef ANALYSIS_FINALIZER_CYCLES_H
#define ANALYSIS_FINALIZER_CYCLES_H

#include "analysis/reach.h"

struct finalizer_cycle {
	uint32_t finalizer; /* index in heap->finalizers; OBJECT_NONE: it is a cleanup, */
	uint32_t cleanup;   /* whose first record has this index in heap->otherroots */
	uint32_t object;
	/* One number for those that lead to each other; OBJECT_NONE: it does not lead to itself */
	uint32_t cycle;
	/* Finalizers that must run one after the other until all behind it are gone, one a collection:
	   1: its own. Those of a cycle count once. */
	uint32_t chain;
	/* What only its cycle holds: with the finalizers of the cycle this would be freed */
	uint64_t bytes;
};

struct finalizer_cycles {
	/* Of objects that lead to themselves, by address, then of those with a chain of more than one
	 */
	struct finalizer_cycle *item;
	uint32_t cycles, count;
	uint32_t cleanups; /* of the cycles */
	uint64_t bytes;    /* that nothing but cycles holds */
};

/* Takes time and memory in proportion to what objects with a finalizer lead to, and one search of
   the whole heap where any leads to itself. NULL: cancelled. */
struct finalizer_cycles *finalizer_cycles_new(const struct reach *reach, struct progress *progress);
void finalizer_cycles_free(struct finalizer_cycles *cycles); /* NULL: nothing */

#endif
