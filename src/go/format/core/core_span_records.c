#include "core_tell.h"

#include "base/bound.h"
#include "base/mem.h"
#include "core_pages.h"

#include <stdlib.h>

struct span_list {
	const struct core_runtime *rt;
	struct span_record *span;
	size_t count, capacity;
};

static enum span_state span_record_state(uint64_t state, uint64_t size)
{
	if (state == CORE_SPAN_IN_USE)
		return SPAN_IN_USE;
	/* Only stack spans have an element size; other spans of the runtime have 0. */
	return size ? SPAN_STACK : SPAN_RUNTIME;
}

static void span_list_add(struct span_list *list, uint64_t structure)
{
	const struct core_runtime *rt = list->rt;
	uint64_t state = rt_field(rt, structure, RT_MSPAN_STATE);
	uint64_t class = rt_field(rt, structure, RT_MSPAN_SPANCLASS);
	struct span_record span = {
		.offset = memory_offset(&rt->memory, structure),
		.address = rt_field(rt, structure, RT_MSPAN_STARTADDR),
		.bytes = rt_field(rt, structure, RT_MSPAN_NPAGES) * CORE_PAGE,
		.size = rt_field(rt, structure, RT_MSPAN_ELEMSIZE),
		.structure = structure,
	};
	bool sane = span.address % CORE_PAGE == 0 && span.bytes && span.bytes < OBJECT_SIZE_MAX
	            && span.address < UINT64_MAX - span.bytes;
	if ((state != CORE_SPAN_IN_USE && state != CORE_SPAN_MANUAL) || !sane)
		return;
	span.state = span_record_state(state, span.size);
	if (span.state == SPAN_IN_USE) {
		span.class = class >> 1;
		span.no_pointers = class & 1;
		span.slots = rt_field(rt, structure, RT_MSPAN_NELEMS);
	}
	MEM_PUSH(list->span, list->count, list->capacity, span);
}

/* Copies the number of objects from the spans that were read. */
static void span_list_count(struct span_list *list, const struct core_spans *spans)
{
	for (size_t i = 0; i < spans->count; i++) {
		const struct core_span *from = &spans->span[i];
		size_t at = lower_bound(list->span, list->count, BOUND_BY(struct span_record, address),
		                        from->start);
		if (at < list->count && list->span[at].structure == from->structure)
			list->span[at].objects = from->objects;
	}
}

/* Sorts spans, and drops overlapping ones, which occur only in damaged files. */
static void span_list_order(struct span_list *list)
{
	size_t kept = 0;
	bound_sort(list->span, list->count, BOUND_BY(struct span_record, address));
	for (size_t i = 0; i < list->count; i++) {
		const struct span_record *last = kept ? &list->span[kept - 1] : NULL;
		if (!last || list->span[i].address >= last->address + last->bytes)
			list->span[kept++] = list->span[i];
	}
	list->count = kept;
}

static void span_list_add_free(void *self, const struct core_page_run *run)
{
	struct span_list *list = self;
	list->span = mem_grow(list->span, list->count, &list->capacity, sizeof *list->span);
	list->span[list->count++] = (struct span_record){
		.offset = memory_offset(&list->rt->memory, run->start),
		.address = run->start,
		.bytes = run->bytes,
		.state = run->released ? SPAN_RELEASED : SPAN_FREE,
	};
}

/* Merges the free pages into the spans. */
static void span_list_merge(struct span_list *list, struct span_list *pages)
{
	size_t count = list->count + pages->count;
	struct span_record *both = mem_alloc((count + 1) * sizeof *both);
	for (size_t at = 0, i = 0, k = 0; at < count; at++) {
		bool is_free = i == list->count
		               || (k < pages->count && pages->span[k].address < list->span[i].address);
		both[at] = is_free ? pages->span[k++] : list->span[i++];
	}
	free(list->span);
	free(pages->span);
	*list = (struct span_list){.rt = list->rt, .span = both, .count = count};
}

void core_tell_spans(const struct core_spans *spans, const struct sink *sink)
{
	const struct core_runtime *rt = spans->rt;
	struct span_list list = {.rt = rt}, free_list = {.rt = rt};
	struct core_pages pages;
	struct memory_slice all =
		memory_slice(&rt->memory, rt_place(rt, rt->mheap, RT_MHEAP_ALLSPANS), 8);
	for (uint64_t i = 0; i < all.count; i++)
		span_list_add(&list, memory_word(&rt->memory, all.address + i * 8));
	span_list_order(&list);
	span_list_count(&list, spans);
	core_pages_init(&pages, spans, list.span, list.count);
	core_pages_free(&pages, list.span, list.count, span_list_add_free, &free_list);
	core_pages_fini(&pages);
	span_list_merge(&list, &free_list);
	for (size_t i = 0; i < list.count; i++)
		sink->record(sink->self, RECORD_SPAN, &list.span[i]);
	core_tell_mappings(rt, list.span, list.count, sink);
	free(list.span);
}
