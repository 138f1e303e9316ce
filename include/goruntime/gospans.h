/* The spans of the heap: what the runtime says of them, or where the objects of a dump lie. */
#ifndef GORUNTIME_GOSPANS_H
#define GORUNTIME_GOSPANS_H

#include "heap/heap.h"

struct gospans {
	const struct span_record *span; /* by address, none over another */
	size_t count;
	/* Worked out: each has an object, others are not known of. NULL: the runtime's own records. */
	struct span_record *own;
	uint64_t unplaced; /* objects that lie where the allocator puts none, as of damaged dumps */
};
void gospans_init(struct gospans *spans, const struct heap *heap);
void gospans_fini(struct gospans *spans);

/* The span that an address lies in; NULL: none. */
const struct span_record *gospans_at(const struct gospans *spans, uint64_t address);

static inline uint64_t gospans_free_slots(const struct span_record *span)
{
	return span->slots > span->objects ? span->slots - span->objects : 0;
}

#endif
