#include "core_spans.h"

#include "core_masks.h"
#include "core_specials.h"

#include "base/bits.h"
#include "base/bound.h"
#include "base/mem.h"

#include <stdlib.h>

enum { FILE_PAGE = 4096, STEP = 1 << 12 };

/* ---- Slots that hold objects */

static void set_live(struct core_spans *spans, const struct core_span *span, uint64_t slot)
{
	if (slot < span->slots)
		bit_set(spans->live, span->live + slot);
}

/* Marks slots as objects by a bitmap (NULL: none). Returns their number. */
static uint64_t set_bits(struct core_spans *spans, const struct core_span *span,
                         const uint8_t *bits)
{
	uint64_t count = 0;
	for (uint64_t i = 0; bits && i < span->slots; i++)
		if (bit_is_set(bits, i)) {
			set_live(spans, span, i);
			count++;
		}
	return count;
}

struct keeping {
	struct core_spans *spans;
	const struct core_span *span;
};

static void keep_finalized(void *self, const struct core_special *special)
{
	const struct keeping *keeping = self;
	const struct core_span *span = keeping->span;
	if (special->kind == SPECIAL_FINALIZER)
		set_live(keeping->spans, span, (special->object - span->start) / span->size);
}

/* Marks the objects that the coming sweep will keep: marked ones, and those with finalizers.
   Returns the number of marked ones. */
static uint64_t mark_unswept(struct core_spans *spans, const struct core_span *span)
{
	const struct core_runtime *rt = spans->rt;
	uint64_t bytes = (span->slots + 7) / 8;
	uint64_t marks =
		set_bits(spans, span,
	             memory_at(&rt->memory, rt_field(rt, span->structure, RT_MSPAN_GCMARKBITS), bytes));
	marks += set_bits(spans, span, core_inline_marks(rt, span));
	struct keeping keeping = {spans, span};
	core_span_specials(rt, span, keep_finalized, &keeping);
	return marks;
}

/* Marks slots allocated since the span was swept. A slot after freeIndexForScan is an object only
   if it is marked, as new objects are during a collection: otherwise a thread may have been stopped
   between taking the slot and clearing its old content (runtime/malloc.go: mallocgc). */
static void mark_taken(struct core_spans *spans, const struct core_span *span)
{
	const struct core_runtime *rt = spans->rt;
	uint64_t end = rt_field(rt, span->structure, RT_MSPAN_FREEINDEX), made = end;
	if (rt->layout.offset[RT_MSPAN_FREEINDEXFORSCAN] != RT_NONE)
		made = rt_field(rt, span->structure, RT_MSPAN_FREEINDEXFORSCAN);
	uint64_t bytes = (span->slots + 7) / 8;
	const uint8_t *marks =
		memory_at(&rt->memory, rt_field(rt, span->structure, RT_MSPAN_GCMARKBITS), bytes);
	const uint8_t *inline_marks = core_inline_marks(rt, span);
	for (uint64_t i = 0; i < end && i < span->slots; i++)
		if (i < made || (marks && bit_is_set(marks, i))
		    || (inline_marks && bit_is_set(inline_marks, i)))
			set_live(spans, span, i);
}

static void mark_swept(struct core_spans *spans, const struct core_span *span)
{
	const struct core_runtime *rt = spans->rt;
	mark_taken(spans, span);
	set_bits(spans, span,
	         memory_at(&rt->memory, rt_field(rt, span->structure, RT_MSPAN_ALLOCBITS),
	                   (span->slots + 7) / 8));
}

/* Returns true if these are marks of the cycle being swept, not empty ones for the next cycle. Mark
   bits are allocated in ascending order (runtime/mheap.go: newMarkBits): shortly after the former
   follow others of the same cycle, after the latter nothing. */
static bool are_used_marks(const struct core_spans *spans, uint64_t marks)
{
	enum { CLOSE = 512 };
	const struct core_runtime *rt = spans->rt;
	uint64_t nearest = marks + CLOSE;
	bool used = false;
	for (size_t i = 0; i < spans->count; i++) {
		const struct core_span *span = &spans->span[i];
		uint64_t other = rt_field(rt, span->structure, RT_MSPAN_GCMARKBITS);
		if (other > marks && other < nearest) {
			nearest = other;
			used = span->unswept;
		}
		other = rt_field(rt, span->structure, RT_MSPAN_ALLOCBITS);
		if (!span->unswept && !span->sweeping && other > marks && other < nearest) {
			nearest = other;
			used = true;
		}
	}
	return used;
}

/* Marks the objects of a span that is being swept: the mark bits are valid until they become the
   allocation bits; before that, the sweep resets the free index (runtime/mgcsweep.go:
   sweepLocked.sweep). Allocation bits of the cycle before may include dead objects that point to
   free slots. */
static void mark_sweeping(struct core_spans *spans, const struct core_span *span)
{
	enum { MOST = 256 }; /* more spans are swept at a time only in a damaged file */
	const struct core_runtime *rt = spans->rt;
	uint64_t marks = mark_unswept(spans, span);
	if (marks || rt_field(rt, span->structure, RT_MSPAN_FREEINDEX))
		return;
	if (spans->unmarked++ < MOST
	    && are_used_marks(spans, rt_field(rt, span->structure, RT_MSPAN_GCMARKBITS)))
		return;
	mark_swept(spans, span);
}

static uint64_t count_live(const struct core_spans *spans, const struct core_span *span)
{
	uint64_t count = 0;
	for (uint64_t i = 0; i < span->slots; i++)
		count += core_span_is_live(spans, span, i);
	return count;
}

/* ---- List of spans */

/* Reads a span. Returns false if it is not in use for objects or cannot be read. */
static bool read_span(struct core_spans *spans, uint64_t structure, struct core_span *span)
{
	const struct core_runtime *rt = spans->rt;
	if (rt_field(rt, structure, RT_MSPAN_STATE) != CORE_SPAN_IN_USE)
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
	/* Objects whose first byte is not stored are lost. */
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

/* Sorts spans, and drops overlapping ones, which occur only in damaged files. */
static void order_spans(struct core_spans *spans)
{
	size_t kept = 0;
	if (!spans->count)
		return;
	bound_sort(spans->span, spans->count, BOUND_BY(struct core_span, offset));
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
	core_mask_find(rt, span);
	if (span->sweeping)
		mark_sweeping(spans, span);
	else if (span->unswept)
		mark_unswept(spans, span);
	else
		mark_swept(spans, span);
	uint64_t live = count_live(spans, span);
	span->objects = live;
	spans->objects += live;
	/* A thread may have been stopped while it takes a slot or sweeps the span. */
	uint64_t told = rt_field(rt, span->structure, RT_MSPAN_ALLOCCOUNT);
	bool settled = !span->unswept && !span->sweeping;
	spans->settled += settled;
	spans->miscounted += settled && (live > told + 1 || told > live + 1);
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
		MEM_PUSH(spans->span, spans->count, capacity, span);
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
	span->mask.lay(spans->rt, span, slot, record);
}
