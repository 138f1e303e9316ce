/* The runtime's records of each goroutine: its runtime.g, and a runtime.sudog for each thing that
   it waits for. They stay when it ends, and lead nowhere any more. */
#pragma once

#include "go/runtime/gowait.h"
#include "heap/edges.h"

struct wait_records {
	uint32_t *id;    /* objects, those of one goroutine beside each other */
	uint32_t *first; /* by goroutine: its first in `id`; behind the last one: their number */
};

/* Finds them, after heap_link. The caller calls wait_records_fini. */
void wait_records_init(struct wait_records *records, const struct heap *heap,
                       const struct gowaits *waits);
void wait_records_fini(struct wait_records *records);
/* Returns those of a goroutine, borrowed. */
struct ids wait_records_of(const struct wait_records *records, uint32_t thread);
