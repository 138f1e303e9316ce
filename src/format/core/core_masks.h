/* Which words of the heap's objects are pointers, in each version of Go. */
#ifndef FORMAT_CORE_MASKS_H
#define FORMAT_CORE_MASKS_H

#include "core_runtime.h"
#include "format/record.h"

struct core_span;

/* How the objects of a span are told: what is the same for all of them. */
struct core_mask {
	/* Lays it over the object in a slot: fills record->fields and header, all else is known. */
	void (*lay)(const struct core_runtime *rt, const struct core_span *span, uint64_t slot,
	            struct object_record *record);
	const uint8_t *bits;       /* of the first slot, or of the type; NULL: neither is there */
	uint32_t pointers, period; /* of a type: words with pointers, words of it */
};

/* Fills the mask of a span of which all else is known. */
void core_mask_find(const struct core_runtime *rt, struct core_span *span);
/* The collector's marks inside of the span, a bit a slot; NULL: this one has none. */
const uint8_t *core_inline_marks(const struct core_runtime *rt, const struct core_span *span);

#endif
