/* The objects that each goroutine waits for, according to the records of the runtime. */
#pragma once

#include "base/bits.h"
#include "go/analysis/lost.h"
#include "go/runtime/wait_records.h"

struct lost_waits {
	struct lost_wait *wait; /* by goroutine */
	uint32_t *object;       /* awaited objects, goroutine by goroutine */
	size_t count, capacity;
	/* Records of the runtime for goroutines and their waits, and their bits by object. References
	   from these do not count for who can wake whom. */
	struct wait_records records;
	uint64_t *record;
	/* See struct lost. */
	/* parked_main: 1 + that goroutine; 0: none */
	uint32_t unknown, unknown_reasons, unknown_coroutines, parked_main;
	uint32_t outside; /* goroutines that wait for what is not in the heap, which all can reach */
};

void lost_waits_init(struct lost_waits *waits, const struct heap *heap, const struct gowaits *told);
void lost_waits_fini(struct lost_waits *waits);
