/* Spans of the heap: their slots, and which slots hold objects. */
#pragma once

#include "core_masks.h"

#include "base/bits.h"

struct core_span {
	uint64_t start, bytes; /* address of the first slot; bytes of all pages */
	uint64_t size;         /* bytes of a slot */
	uint64_t offset;       /* offset of `start` in the core file */
	uint64_t stored;       /* bytes from `start` on that are stored */
	uint64_t structure;    /* address of its runtime.mspan */
	uint64_t slots, objects;
	uint64_t live; /* index of its first bit in core_spans.live */
	struct core_mask mask;
	bool unswept, sweeping;
};

struct core_spans {
	const struct core_runtime *rt;
	struct core_span *span; /* sorted by offset in the file */
	size_t count;
	uint8_t *live; /* one bit per slot: 1 if it holds an object */
	uint64_t objects;
	uint32_t *of_page; /* by file offset / 4096: number of the span + 1; 0: none */
	size_t pages;
	uint64_t lost;                /* spans that are missing, partly missing or invalid */
	uint64_t unmarked;            /* spans being swept that have no marks */
	uint64_t settled, miscounted; /* swept spans; those whose own object count differs from ours */
};

/* Reads all spans. Returns false if cancelled. */
bool core_spans_init(struct core_spans *spans, const struct core_runtime *rt,
                     struct progress *progress);
void core_spans_fini(struct core_spans *spans);

static inline bool core_span_is_live(const struct core_spans *spans, const struct core_span *span,
                                     uint64_t slot)
{
	return bit_is_set(spans->live, span->live + slot);
}
/* Returns the first slot from `slot` on that holds an object; span->slots if there is none. */
uint64_t core_span_next(const struct core_spans *spans, const struct core_span *span,
                        uint64_t slot);
/* Returns the span that contains an offset of the file, or NULL. */
const struct core_span *core_spans_at(const struct core_spans *spans, uint64_t offset);

/* Fills in the record of the object in a slot that holds one. */
void core_object(const struct core_spans *spans, const struct core_span *span, uint64_t slot,
                 struct object_record *record);
