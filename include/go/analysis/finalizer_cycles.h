/* Finalizers that can never run. A finalizer runs once no path leads to its object, and until then
   it keeps alive all that the object references, and its closure. If a path leads from there back
   to the object, the object is never freed. A cleanup (Go 1.24, runtime/mcleanup.go) keeps alive
   its closure and its argument, but not what the object references. */
#pragma once

#include "analysis/reach.h"

struct finalizer_cycle {
	uint32_t finalizer; /* index in heap->finalizers; OBJECT_NONE: it is a cleanup, */
	uint32_t cleanup;   /* whose first record has this index in heap->otherroots */
	uint32_t object;
	/* The same number for objects on one cycle; OBJECT_NONE: on no cycle */
	uint32_t cycle;
	/* Number of finalizers that must run one after the other, one a collection, until all that the
	   object references is freed; 1: its own only. Those of a cycle count once. */
	uint32_t chain;
	/* Bytes that only the cycle retains: freed together with its finalizers */
	uint64_t bytes;
};

struct finalizer_cycles {
	/* The objects on cycles, by address, then those with a chain of more than one */
	struct finalizer_cycle *item;
	uint32_t cycles, count;
	uint32_t cleanups; /* of the cycles */
	uint64_t bytes;    /* that only cycles retain */
};

/* Finds the cycles. Costs time and memory in proportion to what objects with finalizers reach, and
   one search of the heap if there is a cycle. NULL: cancelled. */
struct finalizer_cycles *finalizer_cycles_new(const struct reach *reach, struct progress *progress);
void finalizer_cycles_free(struct finalizer_cycles *cycles); /* accepts NULL */
