#include "redact_known.h"

#include "base/bound.h"
#include "base/mem.h"
#include "heap/heap.h"

#include <stdlib.h>

void redact_ranges_add(struct redact_ranges *ranges, uint64_t start, uint64_t bytes)
{
	if (start && bytes && start + bytes > start)
		MEM_PUSH(ranges->range, ranges->count, ranges->capacity,
		         (struct redact_range){start, start + bytes});
}

void redact_ranges_order(struct redact_ranges *ranges)
{
	size_t kept = 0;
	bound_sort(ranges->range, ranges->count, BOUND_BY(struct redact_range, start));
	for (size_t i = 0; i < ranges->count; i++) {
		struct redact_range next = ranges->range[i];
		struct redact_range *last = kept ? &ranges->range[kept - 1] : NULL;
		if (last && next.start <= last->end)
			last->end = next.end > last->end ? next.end : last->end;
		else
			ranges->range[kept++] = next;
	}
	ranges->count = kept;
}

bool redact_ranges_have(const struct redact_ranges *ranges, uint64_t address)
{
	size_t after =
		upper_bound(ranges->range, ranges->count, BOUND_BY(struct redact_range, start), address);
	return after && address < ranges->range[after - 1].end;
}

static void known_add(struct redact_known *known, uint64_t start, uint64_t bytes)
{
	redact_ranges_add(&known->ranges, start, bytes);
}

static void known_add_program(struct redact_known *known, const struct names *names)
{
	const struct image *image = names && names->exe ? exe_image(names->exe) : NULL;
	for (size_t i = 0; image && i < image->segment_count; i++) {
		const struct image_segment *part = &image->segments[i];
		uint64_t bias = part->writable ? names->fit.data_bias : names->fit.bias;
		known_add(known, part->address + bias, part->size);
	}
}

static void known_add_records(struct redact_known *known)
{
	const struct heap *heap = known->heap;
	for (uint32_t i = 0; i < heap->itab_count; i++) {
		map_put(&known->exact, heap->itabs[i].address, 1);
		map_put(&known->exact, heap->itabs[i].type, 1);
		known_add(known, heap->itabs[i].address, 1);
		known_add(known, heap->itabs[i].type, 1);
	}
	for (uint32_t i = 0; i < heap->type_count; i++) {
		map_put(&known->exact, heap->types[i].address, 1);
		known_add(known, heap->types[i].address, 1);
	}
	for (uint32_t i = 0; i < heap->segment_count; i++)
		known_add(known, heap->segments[i].address, heap->segments[i].size);
	for (uint32_t i = 0; i < heap->frame_count; i++) {
		known_add(known, heap->frames[i].record.sp, heap->frames[i].record.size);
		known_add(known, heap->frames[i].record.pc, 1);
		known_add(known, heap->frames[i].record.entry_pc, 1);
	}
	for (uint32_t i = 0; i < heap->mapping_count; i++)
		if (heap->mappings[i].kind != MAPPING_RESERVED)
			known_add(known, heap->mappings[i].address, heap->mappings[i].bytes);
	for (uint32_t i = 0; i < heap->span_count; i++)
		known_add(known, heap->spans[i].address, heap->spans[i].bytes);
}

void redact_known_init(struct redact_known *known, const struct redact_source *source)
{
	*known = (struct redact_known){.heap = source->heap};
	known_add_program(known, source->names);
	known_add_records(known);
	redact_ranges_order(&known->ranges);
}

void redact_known_fini(struct redact_known *known)
{
	free(known->ranges.range);
	map_free(&known->exact);
}

bool redact_known_has(const struct redact_known *known, uint64_t address)
{
	if (objects_has_page(known->heap->objects, address))
		return true;
	return redact_ranges_have(&known->ranges, address);
}
