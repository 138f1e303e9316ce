/* The spans of the heap: which memory is divided into which slots, and which slots hold objects. */
#ifndef FORMAT_CORE_SPANS_H
#define FORMAT_CORE_SPANS_H

#include "core_masks.h"

#include "base/bits.h"

struct core_span {
	uint64_t start, bytes; /* addresses: of the first slot; pages */
	uint64_t size;         /* of a slot */
	uint64_t offset;       /* in the core file, of `start` */
	uint64_t stored;       /* bytes from there on that are in the file */
	uint64_t structure;    /* address of its runtime.mspan */
	uint64_t slots, objects;
	uint64_t live; /* number of its first bit in core_spans.live */
	struct core_mask mask;
	bool unswept, sweeping;
};

struct core_spans {
	const struct core_runtime *rt;
	struct core_span *span; /* by offset in the file */
	size_t count;
	uint8_t *live; /* a bit a slot: 1 is an object */
	uint64_t objects;
	uint32_t *of_page; /* by file offset / 4096: the number of the span + 1, 0: none */
	size_t pages;
	uint64_t lost;         /* spans whose memory or structure is not there, or makes no sense */
	uint64_t unmarked;     /* spans that are just swept, and have no marks */
	uint64_t settled, odd; /* swept spans; those of them whose own count of objects is another than
	                          ours */
};

/* False: cancelled. */
bool core_spans_init(struct core_spans *spans, const struct core_runtime *rt,
                     struct progress *progress);
void core_spans_fini(struct core_spans *spans);

static inline bool core_span_is_live(const struct core_spans *spans, const struct core_span *span,
                                     uint64_t slot)
{
	return bit_is_set(spans->live, span->live + slot);
}
/* The slot from this one on that holds an object; slots: none does. */
uint64_t core_span_next(const struct core_spans *spans, const struct core_span *span,
                        uint64_t slot);
/* The span with the byte at an offset of the file; NULL: none. */
const struct core_span *core_spans_at(const struct core_spans *spans, uint64_t offset);

/* The record of the object in a slot that holds one. */
void core_object(const struct core_spans *spans, const struct core_span *span, uint64_t slot,
                 struct object_record *record);

#endif
