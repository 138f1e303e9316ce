#include "core_spans.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

enum {
	STATE_IN_USE = 1,
	FILE_PAGE = 4096,
	HEADER_OVER = 512,      /* objects up to this size have their mask at the span's end */
	HEADER_MOST = 32 << 10, /* larger ones are alone in their span */
	INLINE_MARKS = 128,     /* of spans that the collector of Go 1.26 marks in: at their end */
	INLINE_MARKS_AT = 64,   /* in these: scans, owned, marks, class */
	SPAN_MASKS = 22,        /* from this minor version on masks are in spans */
	ARENA_BITS = 20,        /* from this one on a word has a bit in the arena */
	STEP = 1 << 12
};

/* ---- Which slots hold objects */

static void set_live(struct core_spans *spans, const struct core_span *span, uint64_t slot)
{
	uint64_t bit = span->live + slot;
	if (slot < span->slots)
		spans->live[bit / 8] |= (uint8_t)(1 << bit % 8);
}

static void set_bits(struct core_spans *spans, const struct core_span *span, const uint8_t *bits)
{
	for (uint64_t i = 0; bits && i < span->slots; i++)
		if (bits[i / 8] >> i % 8 & 1)
			set_live(spans, span, i);
}

/* Does the collector mark inside of this span? */
static bool has_inline_marks(const struct core_runtime *rt, const struct core_span *span)
{
	uint64_t arena = core_arena(rt, span->start);
	uint64_t page = (span->start - rt->arena_base) % CORE_ARENA_BYTES / CORE_PAGE;
	uint64_t bits = rt_place(rt, arena, RT_HEAPARENA_PAGEUSESPANINLINEMARKBITS), byte = 0;
	if (!arena || !bits || span->size < 16 || span->size > HEADER_OVER)
		return false;
	memory_number(&rt->memory, bits + page / 8, 1, &byte);
	return byte >> page % 8 & 1;
}

static void keep_finalized(void *self, const struct core_special *special)
{
	void **both = self;
	const struct core_span *span = both[1];
	if (special->kind == SPECIAL_FINALIZER)
		set_live(both[0], span, (special->object - span->start) / span->size);
}

/* What the coming sweep will keep: what is marked, and what still has a finalizer. */
static void mark_unswept(struct core_spans *spans, const struct core_span *span)
{
	const struct core_runtime *rt = spans->rt;
	uint64_t bytes = (span->slots + 7) / 8;
	set_bits(spans, span,
	         memory_at(&rt->memory, rt_field(rt, span->structure, RT_MSPAN_GCMARKBITS), bytes));
	if (has_inline_marks(rt, span))
		set_bits(spans, span,
		         memory_at(&rt->memory, span->start + span->bytes - INLINE_MARKS + INLINE_MARKS_AT,
		                   bytes));
	void *both[] = {spans, (void *)span};
	core_span_specials(rt, span, keep_finalized, both);
}

static void mark_swept(struct core_spans *spans, const struct core_span *span)
{
	const struct core_runtime *rt = spans->rt;
	uint64_t free_index = rt_field(rt, span->structure, RT_MSPAN_FREEINDEX);
	for (uint64_t i = 0; i < free_index && i < span->slots; i++)
		set_live(spans, span, i);
	set_bits(spans, span,
	         memory_at(&rt->memory, rt_field(rt, span->structure, RT_MSPAN_ALLOCBITS),
	                   (span->slots + 7) / 8));
}

static uint64_t count_live(const struct core_spans *spans, const struct core_span *span)
{
	uint64_t count = 0;
	for (uint64_t i = 0; i < span->slots; i++)
		count += core_span_is_live(spans, span, i);
	return count;
}

/* ---- Which of their words are pointers */

/* The mask of a type descriptor; NULL: it has none that can be read. */
static const uint8_t *type_mask(const struct core_runtime *rt, uint64_t type, uint32_t *pointers,
                                uint32_t *period)
{
	enum { SIZE = 0, POINTERS = 8, FLAG = 20, KIND = 23, MASK = 32 };
	enum { ON_DEMAND = 1 << 4, PROGRAM = 1 << 6, ON_DEMAND_SINCE = 24 };
	uint64_t size = memory_word(&rt->memory, type + SIZE);
	uint64_t covered = memory_word(&rt->memory, type + POINTERS);
	uint64_t mask = memory_word(&rt->memory, type + MASK), flag = 0, kind = 0;
	memory_number(&rt->memory, type + FLAG, 1, &flag);
	memory_number(&rt->memory, type + KIND, 1, &kind);
	*pointers = *period = 0;
	if (!type || size > UINT32_MAX || covered > size || !covered)
		return NULL;
	*pointers = (uint32_t)(covered / 8);
	*period = (uint32_t)((size + 7) / 8);
	if (rt->layout.minor >= ON_DEMAND_SINCE && flag & ON_DEMAND)
		mask = memory_word(&rt->memory, mask);
	else if (rt->layout.minor < ON_DEMAND_SINCE && kind & PROGRAM)
		mask = 0;
	return memory_at(&rt->memory, mask, (*pointers + 7) / 8);
}

static void find_mask(const struct core_runtime *rt, struct core_span *span)
{
	unsigned minor = rt->layout.minor;
	bool no_pointers = rt_field(rt, span->structure, RT_MSPAN_SPANCLASS) & 1;
	if (no_pointers) {
		span->kind = MASK_NONE;
	} else if (minor < SPAN_MASKS) {
		span->kind = minor < ARENA_BITS ? MASK_NIBBLE : MASK_ARENA;
	} else if (span->size <= HEADER_OVER) {
		uint64_t end = span->start + span->bytes - (has_inline_marks(rt, span) ? INLINE_MARKS : 0);
		span->kind = MASK_SPAN;
		span->mask = memory_at(&rt->memory, end - span->bytes / 64, span->bytes / 64);
	} else if (rt_field(rt, span->structure, RT_MSPAN_SPANCLASS) >> 1) {
		span->kind = MASK_HEADER;
	} else {
		span->kind = MASK_LARGE;
		span->mask = type_mask(rt, rt_field(rt, span->structure, RT_MSPAN_LARGETYPE),
		                       &span->pointers, &span->period);
	}
}

/* ---- The list of them */

/* False: the span is not one of the heap, or cannot be read. */
static bool read_span(struct core_spans *spans, uint64_t structure, struct core_span *span)
{
	const struct core_runtime *rt = spans->rt;
	if (rt_field(rt, structure, RT_MSPAN_STATE) != STATE_IN_USE)
		return false;
	*span = (struct core_span){
		.structure = structure,
		.start = rt_field(rt, structure, RT_MSPAN_STARTADDR),
		.bytes = rt_field(rt, structure, RT_MSPAN_NPAGES),
		.size = rt_field(rt, structure, RT_MSPAN_ELEMSIZE),
		.slots = rt_field(rt, structure, RT_MSPAN_NELEMS),
	};
	const struct core_segment *segment = core_file_segment(&rt->memory.file, span->start);
	bool sane = span->start % CORE_PAGE == 0 && span->bytes <= UINT64_MAX / CORE_PAGE && span->size
	            && span->size % 8 == 0 && span->slots
	            && span->slots <= span->bytes * CORE_PAGE / span->size;
	if (!segment || !sane) {
		spans->lost++;
		return false;
	}
	span->bytes *= CORE_PAGE;
	uint64_t into = span->start - segment->address;
	span->offset = segment->offset + into;
	span->stored = segment->size - into < span->bytes ? segment->size - into : span->bytes;
	/* Objects whose first byte is not in the file are lost. */
	uint64_t there = (span->stored + span->size - 1) / span->size;
	if (there < span->slots) {
		span->slots = there;
		spans->lost++;
	}
	uint64_t gone = rt_field(rt, rt->mheap, RT_MHEAP_SWEEPGEN)
	                - rt_field(rt, structure, RT_MSPAN_SWEEPGEN);
	span->unswept = (uint32_t)gone == 2 || (uint32_t)gone == UINT32_MAX;
	span->sweeping = (uint32_t)gone == 1;
	return true;
}

static int span_by_offset(const void *a, const void *b)
{
	const struct core_span *x = a, *y = b;
	return x->offset < y->offset ? -1 : x->offset > y->offset;
}

/* Sorts, and leaves out what lies within another, which only damage can make. */
static void order_spans(struct core_spans *spans)
{
	size_t kept = 0;
	qsort(spans->span, spans->count, sizeof *spans->span, span_by_offset);
	for (size_t i = 0; i < spans->count; i++) {
		struct core_span *last = kept ? &spans->span[kept - 1] : NULL;
		if (last && spans->span[i].offset < last->offset + last->stored)
			spans->lost++;
		else
			spans->span[kept++] = spans->span[i];
	}
	spans->count = kept;
}

static void index_file_pages(struct core_spans *spans)
{
	spans->pages = spans->rt->memory.file.size / FILE_PAGE + 1;
	spans->of_page = mem_column(spans->pages * sizeof *spans->of_page);
	for (size_t i = 0; i < spans->count; i++) {
		const struct core_span *span = &spans->span[i];
		for (uint64_t at = span->offset / FILE_PAGE;
		     at <= (span->offset + span->stored - 1) / FILE_PAGE; at++)
			if (!spans->of_page[at])
				spans->of_page[at] = (uint32_t)i + 1;
	}
}

static void find_live(struct core_spans *spans, struct core_span *span)
{
	const struct core_runtime *rt = spans->rt;
	find_mask(rt, span);
	/* Of one that is just being swept either may be true: what neither has is free. */
	if (span->unswept || span->sweeping)
		mark_unswept(spans, span);
	if (!span->unswept)
		mark_swept(spans, span);
	uint64_t live = count_live(spans, span);
	spans->objects += live;
	/* A thread may have been stopped while it takes a slot, or sweeps the span. */
	uint64_t told = rt_field(rt, span->structure, RT_MSPAN_ALLOCCOUNT);
	bool settled = !span->unswept && !span->sweeping;
	spans->odd += settled && (live > told + 1 || told > live + 1);
}

bool core_spans_init(struct core_spans *spans, const struct core_runtime *rt,
                     struct progress *progress)
{
	struct memory_slice all =
		memory_slice(&rt->memory, rt_place(rt, rt->mheap, RT_MHEAP_ALLSPANS), 8);
	size_t capacity = 0;
	uint64_t bits = 0;
	*spans = (struct core_spans){.rt = rt};
	for (uint64_t i = 0; i < all.count; i++) {
		struct core_span span;
		if (i % STEP == 0 && !progress_step(progress, 0))
			return false;
		if (!read_span(spans, memory_word(&rt->memory, all.address + i * 8), &span))
			continue;
		spans->span = mem_grow(spans->span, spans->count, &capacity, sizeof *spans->span);
		spans->span[spans->count++] = span;
	}
	order_spans(spans);
	for (size_t i = 0; i < spans->count; i++) {
		spans->span[i].live = bits;
		bits += spans->span[i].slots;
	}
	spans->live = mem_alloc(bits / 8 + 1);
	index_file_pages(spans);
	for (size_t i = 0; i < spans->count; i++)
		find_live(spans, &spans->span[i]);
	return true;
}

void core_spans_fini(struct core_spans *spans)
{
	free(spans->span);
	free(spans->live);
	if (spans->of_page)
		mem_column_free(spans->of_page, spans->pages * sizeof *spans->of_page);
}

uint64_t core_span_next(const struct core_spans *spans, const struct core_span *span, uint64_t slot)
{
	while (slot < span->slots && !core_span_is_live(spans, span, slot))
		slot++;
	return slot;
}

const struct core_span *core_spans_at(const struct core_spans *spans, uint64_t offset)
{
	size_t page = offset / FILE_PAGE;
	size_t at = page < spans->pages ? spans->of_page[page] : 0;
	if (!at)
		return NULL;
	/* A page of the file may end one span and begin the next. */
	for (at--; at < spans->count && spans->span[at].offset <= offset; at++)
		if (offset - spans->span[at].offset < spans->span[at].stored)
			return &spans->span[at];
	return NULL;
}

/* ---- Objects */

static void arena_mask(const struct core_runtime *rt, const struct core_span *span,
                       struct object_record *record)
{
	uint64_t arena = core_arena(rt, record->slot);
	uint64_t word = (record->slot - rt->arena_base) % CORE_ARENA_BYTES / 8;
	uint64_t left = CORE_ARENA_BYTES / 8 - word, words = record->stored / 8;
	bool nibbles = span->kind == MASK_NIBBLE;
	struct fields *fields = &record->fields;
	fields_of_mask(fields, nibbles ? FIELDS_NIBBLES : FIELDS_ARENA, words < left ? words : left);
	uint64_t first = nibbles ? word / 4 : word / 64 * 8;
	uint64_t end = nibbles ? (word + fields->size + 3) / 4 : (word + fields->size + 63) / 64 * 8;
	fields->at =
		memory_at(&rt->memory, rt_place(rt, arena, RT_HEAPARENA_BITMAP) + first, end - first);
	fields->origin = (uint32_t)(nibbles ? word % 4 : word % 64);
	if (!nibbles && fields->at) {
		uint64_t more = rt_place(rt, arena, RT_HEAPARENA_NOMOREPTRS);
		fields->data = memory_at(&rt->memory, more + word / 64 / 8,
		                         (word / 64 + end / 8 - first / 8) / 8 - word / 64 / 8 + 1);
		fields->base = word / 64 % 8;
	}
	if (!arena || !fields->at)
		fields->size = 0;
}

static void object_mask(const struct core_spans *spans, const struct core_span *span, uint64_t slot,
                        struct object_record *record)
{
	const struct core_runtime *rt = spans->rt;
	struct fields *fields = &record->fields;
	uint64_t words = record->stored / 8;
	switch (span->kind) {
	case MASK_NIBBLE:
	case MASK_ARENA:
		arena_mask(rt, span, record);
		break;
	case MASK_SPAN: {
		uint64_t first = slot * (span->size / 8);
		fields_of_mask(fields, FIELDS_BITS, span->mask ? words : 0);
		fields->at = span->mask ? span->mask + first / 8 : NULL;
		fields->origin = (uint32_t)(first % 8);
		fields->pointers = UINT32_MAX;
		break;
	}
	case MASK_HEADER:
		record->header = 8;
		fields_of_mask(fields, FIELDS_BITS, words);
		fields->at = type_mask(rt, words ? memory_word(&rt->memory, record->slot) : 0,
		                       &fields->pointers, &fields->period);
		fields->word = 1;
		fields->base = 1;
		if (!fields->at && fields->pointers)
			fields_of_mask(fields, FIELDS_EVERY, words);
		else if (!fields->at)
			fields->size = 0;
		break;
	case MASK_LARGE:
		fields_of_mask(fields, span->mask ? FIELDS_BITS : FIELDS_EVERY, words);
		fields->at = span->mask;
		fields->pointers = span->pointers;
		fields->period = span->period;
		if (!span->mask && !span->pointers)
			fields->size = 0;
		break;
	default:
		fields_of_mask(fields, FIELDS_BITS, 0);
	}
}

void core_object(const struct core_spans *spans, const struct core_span *span, uint64_t slot,
                 struct object_record *record)
{
	uint64_t into = slot * span->size;
	uint64_t next = core_span_next(spans, span, slot + 1);
	*record = (struct object_record){
		.offset = span->offset + into,
		.end = span->offset + (next < span->slots ? next : slot + 1) * span->size,
		.slot = span->start + into,
		.size = span->size,
		.stored = span->stored - into < span->size ? span->stored - into : span->size,
		.data = spans->rt->memory.file.data + span->offset + into,
	};
	object_mask(spans, span, slot, record);
}

/* ---- Special records */

static enum core_special_kind special_kind(unsigned minor, uint64_t kind)
{
	/* From the first to the last minor version: finalizer, weak handle, profile, cleanup. */
	static const struct {
		uint8_t first, last, number, kind;
	} kinds[] = {
		{17, 24, 1, SPECIAL_FINALIZER},   {25, 27, 2, SPECIAL_FINALIZER},
		{23, 24, 2, SPECIAL_WEAK_HANDLE}, {25, 27, 3, SPECIAL_WEAK_HANDLE},
		{17, 22, 2, SPECIAL_PROFILE},     {23, 24, 3, SPECIAL_PROFILE},
		{25, 27, 4, SPECIAL_PROFILE},     {24, 24, 6, SPECIAL_CLEANUP},
		{25, 27, 7, SPECIAL_CLEANUP},
	};
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (minor >= kinds[i].first && minor <= kinds[i].last && kind == kinds[i].number)
			return kinds[i].kind;
	return SPECIAL_OTHER;
}

void core_span_specials(const struct core_runtime *rt, const struct core_span *span,
                        void (*visit)(void *self, const struct core_special *special), void *self)
{
	/* A slot has a handful of them at most; a list that is longer runs in circles. */
	uint64_t most = span->slots * 4 + 64;
	uint64_t at = rt_field(rt, span->structure, RT_MSPAN_SPECIALS);
	for (uint64_t i = 0; at && i < most; i++) {
		uint64_t offset = rt_field(rt, at, RT_SPECIAL_OFFSET);
		struct core_special special = {
			.structure = at,
			.object = span->start + offset,
			.kind = special_kind(rt->layout.minor, rt_field(rt, at, RT_SPECIAL_KIND)),
		};
		if (offset < span->bytes)
			visit(self, &special);
		at = rt_field(rt, at, RT_SPECIAL_NEXT);
	}
}
