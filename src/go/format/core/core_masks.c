#include "core_masks.h"

#include "core_spans.h"
#include "core_type_mask.h"

enum {
	/* objects of up to this many bytes have their mask at the end of the span */
	MASKS_UP_TO = 512,
	INLINE_MARKS = 128,   /* bytes of inline marks at the end of a span (collector of Go 1.26) */
	INLINE_MARKS_AT = 64, /* offset in these: scans, owned, marks, class */
	SPAN_MASKS = 22,      /* since this minor version masks are in spans */
	ARENA_BITS = 20       /* since this one the arena has one bit per word */
};

static uint64_t span_class(const struct core_runtime *rt, const struct core_span *span)
{
	return rt_field(rt, span->structure, RT_MSPAN_SPANCLASS);
}

static bool has_inline_marks(const struct core_runtime *rt, const struct core_span *span)
{
	uint64_t arena = core_arena(rt, span->start);
	uint64_t page = (span->start - rt->arena_base) % CORE_ARENA_BYTES / CORE_PAGE;
	uint64_t bits = rt_place(rt, arena, RT_HEAPARENA_PAGEUSESPANINLINEMARKBITS);
	if (!arena || !bits || span->size < 16 || span->size > MASKS_UP_TO)
		return false;
	const uint8_t *byte = memory_at(&rt->memory, bits + page / 8, 1);
	return byte && bit_is_set(byte, page % 8);
}

const uint8_t *core_inline_marks(const struct core_runtime *rt, const struct core_span *span)
{
	uint64_t end = span->start + span->bytes, bytes = (span->slots + 7) / 8;
	if (!has_inline_marks(rt, span))
		return NULL;
	return memory_at(&rt->memory, end - INLINE_MARKS + INLINE_MARKS_AT, bytes);
}

/* Returns the pointer mask of a type descriptor, or NULL if it cannot be read. */
static const uint8_t *type_mask(const struct core_runtime *rt, uint64_t type, uint32_t *pointers,
                                uint32_t *period)
{
	struct core_type found = core_type_at(rt, type);
	*pointers = *period = 0;
	if (!found.covered)
		return NULL;
	*pointers = (uint32_t)(found.covered / 8);
	*period = (uint32_t)((found.size + 7) / 8);
	return core_type_mask(rt, type, &found);
}

/* ---- Masks of objects */

static void lay_nothing(const struct core_runtime *rt, const struct core_span *span, uint64_t slot,
                        struct object_record *record)
{
	(void)rt, (void)span, (void)slot;
	fields_of_mask(&record->fields, FIELDS_BITS, 0);
}

/* The words of an object within its arena. */
struct arena_words {
	uint64_t arena, first, count;
};

static struct arena_words words_in_arena(const struct core_runtime *rt,
                                         const struct object_record *record)
{
	uint64_t first = (record->slot - rt->arena_base) % CORE_ARENA_BYTES / 8;
	uint64_t left = CORE_ARENA_BYTES / 8 - first, words = record->stored / 8;
	uint64_t arena = core_arena(rt, record->slot);
	return (struct arena_words){arena, first, !arena ? 0 : words < left ? words : left};
}

/* Go 1.17 to 1.19: 4 words per byte in the arena. */
static void lay_nibbles(const struct core_runtime *rt, const struct core_span *span, uint64_t slot,
                        struct object_record *record)
{
	if (span->mask.bits) {
		uint64_t into = slot * span->size / 8;
		fields_of_mask(&record->fields, FIELDS_NIBBLES, record->stored / 8);
		record->fields.at = span->mask.bits + into / 4;
		record->fields.origin = (uint32_t)(into % 4);
		return;
	}
	struct arena_words words = words_in_arena(rt, record);
	uint64_t first = words.first / 4, end = (words.first + words.count + 3) / 4;
	fields_of_mask(&record->fields, FIELDS_NIBBLES, words.count);
	record->fields.at =
		memory_at(&rt->memory, rt_place(rt, words.arena, RT_HEAPARENA_BITMAP) + first, end - first);
	record->fields.origin = (uint32_t)(words.first % 4);
	if (!record->fields.at)
		record->fields.size = 0;
}

/* Go 1.20 and 1.21: one bit per word in the arena, and one bit per 64 words that says whether an
   object crossing their end has no pointers after it. */
static void lay_arena_bits(const struct core_runtime *rt, const struct core_span *span,
                           uint64_t slot, struct object_record *record)
{
	struct arena_words words = words_in_arena(rt, record);
	uint64_t first = words.first / 64, end = (words.first + words.count + 63) / 64;
	struct fields *fields = &record->fields;
	(void)span, (void)slot;
	fields_of_mask(fields, FIELDS_ARENA, words.count);
	fields->at = memory_at(&rt->memory, rt_place(rt, words.arena, RT_HEAPARENA_BITMAP) + first * 8,
	                       (end - first) * 8);
	fields->origin = (uint32_t)(words.first % 64);
	fields->data = memory_at(&rt->memory,
	                         rt_place(rt, words.arena, RT_HEAPARENA_NOMOREPTRS) + first / 8,
	                         end / 8 - first / 8 + 1);
	fields->base = first % 8;
	if (!fields->at)
		fields->size = 0;
}

/* One bit per word at the end of the span. */
static void lay_span_bits(const struct core_runtime *rt, const struct core_span *span,
                          uint64_t slot, struct object_record *record)
{
	uint64_t first = slot * (span->size / 8);
	const uint8_t *bits = span->mask.bits;
	(void)rt;
	fields_of_mask(&record->fields, FIELDS_BITS, bits ? record->stored / 8 : 0);
	record->fields.at = bits ? bits + first / 8 : NULL;
	record->fields.origin = (uint32_t)(first % 8);
	record->fields.pointers = UINT32_MAX;
}

static void lay_type(struct fields *fields, const struct core_mask *mask, uint64_t words)
{
	fields_of_mask(fields, mask->bits ? FIELDS_BITS : FIELDS_EVERY, words);
	fields->at = mask->bits;
	fields->pointers = mask->pointers;
	fields->period = mask->period;
	if (!mask->bits && !mask->pointers)
		fields->size = 0;
}

/* The first word of a slot is the address of its type. */
static void lay_header(const struct core_runtime *rt, const struct core_span *span, uint64_t slot,
                       struct object_record *record)
{
	uint64_t words = record->stored / 8;
	uint64_t type = words ? memory_word(&rt->memory, record->slot) : 0;
	struct core_mask mask = {0};
	(void)span, (void)slot;
	mask.bits = type_mask(rt, type, &mask.pointers, &mask.period);
	lay_type(&record->fields, &mask, words);
	record->header = 8;
	record->fields.word = 1;
	record->fields.base = 1;
}

/* A single object, whose type the span has. */
static void lay_large(const struct core_runtime *rt, const struct core_span *span, uint64_t slot,
                      struct object_record *record)
{
	(void)rt, (void)slot;
	lay_type(&record->fields, &span->mask, record->stored / 8);
}

/* ---- Kind of mask of a span */

static void find_in_span(const struct core_runtime *rt, struct core_span *span)
{
	struct core_mask *mask = &span->mask;
	uint64_t bytes = span->bytes / 64;
	uint64_t end = span->start + span->bytes - (has_inline_marks(rt, span) ? INLINE_MARKS : 0);
	if (span->size <= MASKS_UP_TO) {
		mask->lay = lay_span_bits;
		mask->bits = memory_at(&rt->memory, end - bytes, bytes);
	} else if (span_class(rt, span) >> 1) {
		mask->lay = lay_header;
	} else {
		mask->lay = lay_large;
		mask->bits = type_mask(rt, rt_field(rt, span->structure, RT_MSPAN_LARGETYPE),
		                       &mask->pointers, &mask->period);
	}
}

/* Returns the nibbles of all slots of a span, or NULL if they are in two arenas. */
static const uint8_t *find_nibbles(const struct core_runtime *rt, const struct core_span *span)
{
	uint64_t first = (span->start - rt->arena_base) % CORE_ARENA_BYTES / 8;
	uint64_t words = span->stored / 8, arena = core_arena(rt, span->start);
	bool fits = arena && first % 4 == 0 && words <= CORE_ARENA_BYTES / 8 - first;
	return fits ? memory_at(&rt->memory, rt_place(rt, arena, RT_HEAPARENA_BITMAP) + first / 4,
	                        (words + 3) / 4)
	            : NULL;
}

void core_mask_find(const struct core_runtime *rt, struct core_span *span)
{
	bool has_pointers = !(span_class(rt, span) & 1);
	if (!has_pointers)
		span->mask.lay = lay_nothing;
	else if (rt->layout.minor < SPAN_MASKS)
		span->mask.lay = rt->layout.minor < ARENA_BITS ? lay_nibbles : lay_arena_bits;
	else
		find_in_span(rt, span);
	if (span->mask.lay == lay_nibbles)
		span->mask.bits = find_nibbles(rt, span);
}
