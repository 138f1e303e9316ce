/* Finds the pointer words of heap objects, in each version of Go. */
#pragma once

#include "core_runtime.h"
#include "format/record.h"

struct core_span;

/* Mask data shared by all objects of a span. */
struct core_mask {
	/* Fills in record->fields and record->header for the object in a slot; the rest of the record
	   is set. */
	void (*lay)(const struct core_runtime *rt, const struct core_span *span, uint64_t slot,
	            struct object_record *record);
	const uint8_t *bits;       /* mask of the first slot, or of the type; NULL: none */
	uint32_t pointers, period; /* for a type: words up to the last pointer, words of the type */
};

/* Sets span->mask; all else in the span must be set. */
void core_mask_find(const struct core_runtime *rt, struct core_span *span);
/* Returns the collector's marks inside the span, one bit per slot, or NULL. */
const uint8_t *core_inline_marks(const struct core_runtime *rt, const struct core_span *span);
