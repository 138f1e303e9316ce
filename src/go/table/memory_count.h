/* The memory of a process by use, for the table memory. */
#pragma once

#include "go/table/memory_use.h"

#include <stddef.h>

struct span_record;

enum { MEMORY_USES_MOST = 24 };

struct memory_uses {
	struct memory_row row[MEMORY_USES_MOST]; /* those that have bytes */
	size_t count;
	uint64_t total, reserved, resident; /* bytes; reserved: a part of the total */
	bool knows_resident;
};
void memory_uses_count(const struct heap *heap, struct memory_uses *all);

struct memory_slots {
	uint64_t objects, free;                   /* bytes of slots */
	uint64_t objects_resident, free_resident; /* 0: not known */
};
/* Stores what the slots of a span that is in use take. */
void memory_count_slots(const struct heap *heap, const struct span_record *span,
                        struct memory_slots *slots);
