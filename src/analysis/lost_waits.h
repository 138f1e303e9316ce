/* What every goroutine waits for, as the runtime keeps it. */
#ifndef ANALYSIS_LOST_WAITS_H
#define ANALYSIS_LOST_WAITS_H

#include "analysis/lost.h"
#include "base/bits.h"

struct lost_waits {
	struct lost_wait *wait; /* by goroutine */
	uint32_t *object;       /* those awaited: goroutine by goroutine */
	size_t count, capacity;
	/* Bits, by object: the runtime's records of goroutines and of their waiting, which keep nothing
	   alive that matters to who may wake whom. */
	uint64_t *record;
	uint32_t *sudog; /* records of waiting, ascending */
	uint32_t *of;    /* the goroutine that each is of */
	size_t sudogs;
	uint32_t *first_sudog; /* by goroutine: the first of its own + 1; 0: none */
	uint32_t *next_sudog;  /* by sudog: the next one of the same goroutine + 1 */
	/* See struct lost. */
	uint32_t unknown, unknown_reasons, unknown_coroutines, parked_main; /* that one + 1; 0: none */
};

void lost_waits_init(struct lost_waits *waits, const struct heap *heap, const struct gowaits *told);
void lost_waits_fini(struct lost_waits *waits);

#endif
