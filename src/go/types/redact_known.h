/* The memory that addresses may lead to, private to src/go/types. */
#pragma once

#include "go/types/redact.h"

/* Ranges of addresses, sorted and without overlaps once redact_ranges_order was called. */
struct redact_range {
	uint64_t start, end;
};
struct redact_ranges {
	struct redact_range *range;
	size_t count, capacity;
};
void redact_ranges_add(struct redact_ranges *ranges, uint64_t start, uint64_t bytes);
void redact_ranges_order(struct redact_ranges *ranges);
bool redact_ranges_have(const struct redact_ranges *ranges, uint64_t address);

struct redact_known {
	const struct heap *heap;
	struct redact_ranges ranges;
	struct map exact; /* addresses of types and interface tables in the dump's records */
};

void redact_known_init(struct redact_known *known, const struct redact_source *source);
void redact_known_fini(struct redact_known *known);
/* Returns true for an address in the heap, in a stack, or in the memory of the program. */
bool redact_known_has(const struct redact_known *known, uint64_t address);
