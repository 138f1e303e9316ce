/* The spans of the heap: which memory is divided into which slots, and which slots hold objects. */
#ifndef FORMAT_CORE_SPANS_H
#define FORMAT_CORE_SPANS_H

#include "core_runtime.h"
#include "format/record.h"

/* How the words of a span's objects that are pointers are known. */
enum core_mask {
	MASK_NONE,   /* no pointers */
	MASK_NIBBLE, /* Go 1.17 to 1.19: 4 words a byte in the arena */
	MASK_ARENA,  /* Go 1.20, 1.21: a bit a word in the arena */
	MASK_SPAN,   /* a bit a word at the span's end */
	MASK_HEADER, /* the first word of a slot is its type */
	MASK_LARGE   /* one object, whose type the span knows */
};

struct core_span {
	uint64_t start, bytes; /* addresses: of the first slot; pages */
	uint64_t size;         /* of a slot */
	uint64_t offset;       /* in the core file, of `start` */
	uint64_t stored;       /* bytes from there on that are in the file */
	uint64_t structure;    /* address of its runtime.mspan */
	uint64_t slots;
	const uint8_t *mask; /* MASK_SPAN: of the first slot; MASK_LARGE: of the type; else NULL */
	uint64_t live;       /* number of its first bit in core_spans.live */
	uint32_t pointers, period; /* MASK_LARGE: words of the type with pointers, words of the type */
	uint8_t kind;              /* enum core_mask */
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
	uint64_t lost; /* spans whose memory or structure is not there, or makes no sense */
	uint64_t odd;  /* swept spans whose own count of objects is another than ours */
};

/* False: cancelled. */
bool core_spans_init(struct core_spans *spans, const struct core_runtime *rt,
                     struct progress *progress);
void core_spans_fini(struct core_spans *spans);

static inline bool core_span_is_live(const struct core_spans *spans, const struct core_span *span,
                                     uint64_t slot)
{
	uint64_t bit = span->live + slot;
	return spans->live[bit / 8] >> bit % 8 & 1;
}
/* The slot from this one on that holds an object; slots: none does. */
uint64_t core_span_next(const struct core_spans *spans, const struct core_span *span,
                        uint64_t slot);
/* The span with the byte at an offset of the file; NULL: none. */
const struct core_span *core_spans_at(const struct core_spans *spans, uint64_t offset);

/* The record of the object in a slot that holds one. */
void core_object(const struct core_spans *spans, const struct core_span *span, uint64_t slot,
                 struct object_record *record);

/* A special record of a span (runtime/mheap.go: special). */
struct core_special {
	uint64_t structure, object; /* addresses: of the record, of the byte it is about */
	enum core_special_kind {
		SPECIAL_OTHER,
		SPECIAL_FINALIZER,
		SPECIAL_WEAK_HANDLE,
		SPECIAL_PROFILE,
		SPECIAL_CLEANUP
	} kind;
};
/* Calls visit with those of a span; bounded even where the list is damaged. */
void core_span_specials(const struct core_runtime *rt, const struct core_span *span,
                        void (*visit)(void *self, const struct core_special *special), void *self);

#endif
