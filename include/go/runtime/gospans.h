/* Spans of the heap: from the runtime, or derived from the objects of a dump. */
#pragma once

#include "format/record.h"

#include <stddef.h>
#include <stdint.h>

struct heap;

struct gospans {
	const struct span_record *span; /* sorted by address, without overlaps */
	size_t count;
	/* Derived spans: each has an object, spans without objects are unknown. NULL: the runtime's own
	   records are used. */
	struct span_record *own;
	/* objects at addresses that the allocator does not use, as in damaged dumps */
	uint64_t unplaced;
};
void gospans_init(struct gospans *spans, const struct heap *heap);
void gospans_fini(struct gospans *spans);

/* Returns the span that contains an address, or NULL. */
const struct span_record *gospans_at(const struct gospans *spans, uint64_t address);

static inline uint64_t gospans_free_slots(const struct span_record *span)
{
	return span->slots > span->objects ? span->slots - span->objects : 0;
}
