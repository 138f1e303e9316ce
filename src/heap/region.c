/* A bit vector over the words of all regions: those that are pointers. */
#include "heap/region.h"

#include "base/bound.h"
#include "base/mem.h"
#include "base/progress.h"
#include "format/format.h"
#include "heap/columns.h"
#include "heap/heap.h"
#include "heap/objects_table.h"
#include "heap/outline.h"

#include <stdlib.h>

static uint64_t words_of(const struct regions *r, uint64_t size)
{
	return (size + r->width - 1) >> r->shift;
}

/* The mask of an outline begins with the objects, and has room for the rest. */
static uint64_t region_count_bits(struct regions *r)
{
	uint64_t bits = 0;
	struct objects_run_view run;
	for (size_t i = 0; i < objects_run_count(r->heap->objects); i++) {
		objects_run(r->heap->objects, i, &run);
		r->run_bit[i] = r->outline ? r->outline->runs[r->heap->objects->runs[i].told].bit : bits;
		bits += run.count * words_of(r, run.stored);
	}
	bits = r->outline ? r->outline->bits : bits;
	for (uint32_t i = 0; i < r->segments; i++) {
		r->other_bit[i] = bits;
		bits += words_of(r, r->heap->segments[i].size);
	}
	for (uint32_t i = 0; i < r->frames; i++) {
		r->other_bit[r->segments + i] = bits;
		bits += words_of(r, r->heap->frames[i].record.size);
	}
	return bits;
}

static void region_mark(struct regions *r, struct fields fields, uint64_t bit, uint64_t size)
{
	uint64_t offset;
	while (fields_next(&fields, &offset)) {
		if (!regions_aligned(r, offset) || size < r->width || offset > size - r->width)
			continue;
		word_bit_set(r->mask, bit + (offset >> r->shift));
	}
}

static bool any_pointer_of_many(const struct regions *r, uint64_t bit, uint64_t words)
{
	for (uint64_t end = bit + words; bit < end; bit = (bit / 64 + 1) * 64) {
		uint64_t word = r->mask[bit / 64] >> bit % 64, left = end - bit;
		if (left < 64)
			word &= ((uint64_t)1 << left) - 1;
		if (word)
			return true;
	}
	return false;
}

static inline bool any_pointer(const struct regions *r, uint64_t bit, uint64_t words)
{
	return words > 64 ? any_pointer_of_many(r, bit, words) : region_bits(r->mask, bit, words) != 0;
}

/* Adds where the contents of the next object of a run are: what the objects before it do not
   explain. */
static void region_put(const struct regions *r, struct starts_maker *places,
                       const struct objects_run_view *run, size_t index, uint64_t position)
{
	uint64_t before = places->next - run->first;
	starts_put(places, (uint32_t)(position - before * (run->stored + r->run_gap[index])));
}

static void mark_run(struct regions *r, struct starts_maker *places, size_t index)
{
	struct objects_run_view run;
	struct object_record record;
	objects_run(r->heap->objects, index, &run);
	uint64_t words = words_of(r, run.stored), position = 0;
	bool reads = true;
	for (uint32_t i = 0; i < run.count; i++) {
		reads = reads && format_row(r->heap->format, r->heap->reader, i ? 0 : run.offset, &record);
		if (reads) /* else the file has changed: the rest has no contents */
			region_mark(r, record.fields, r->run_bit[index] + i * words, run.stored);
		position = reads ? (uint64_t)(record.data - r->heap->input->data) - run.offset : 0;
		region_put(r, places, &run, index, position);
	}
}

/* The same by an outline, whose mask is the region's. */
static void outline_run(struct regions *r, struct starts_maker *places, size_t index)
{
	struct objects_run_view run;
	objects_run(r->heap->objects, index, &run);
	struct outline_walk walk = outline_walk(r->outline, &r->heap->objects->runs[index]);
	const uint8_t *start = r->heap->input->data + run.offset;
	uint8_t least = UINT8_MAX;
	for (uint32_t i = 1; i < run.count; i++)
		least = walk.gap[i] < least ? walk.gap[i] : least;
	r->run_gap[index] = least;
	for (uint32_t i = 0; i < run.count; i++)
		region_put(r, places, &run, index, (uint64_t)(outline_next(&walk) - start));
}

static int region_by_sp(const void *a, const void *b, void *heap)
{
	const struct frame *frames = ((const struct heap *)heap)->frames;
	uint64_t x = frames[*(const uint32_t *)a].record.sp, y = frames[*(const uint32_t *)b].record.sp;
	return x < y ? -1 : x > y;
}

/* Initializes everything except the columns per object. */
static void regions_begin(struct regions *r, const struct heap *heap, const struct outline *outline)
{
	size_t runs = objects_run_count(heap->objects);
	*r = (struct regions){.heap = heap,
	                      .outline = outline,
	                      .layout = &heap->params.layout,
	                      .width = heap->params.layout.pointer_size,
	                      .shift = heap->params.layout.pointer_size == 8 ? 3 : 2,
	                      .objects = heap_object_count(heap),
	                      .run_noscan_size = runs + 1,
	                      .segments = heap->segment_count,
	                      .frames = heap->frame_count};
	r->run_bit = mem_alloc((runs + 1) * sizeof *r->run_bit);
	r->other_bit = mem_alloc((r->segments + (size_t)r->frames + 1) * sizeof *r->other_bit);
	r->by_sp = mem_alloc((r->frames + 1UL) * sizeof *r->by_sp);
	r->mask_size = (region_count_bits(r) / 64 + 1) * sizeof *r->mask;
	r->run_gap = mem_alloc(runs + 1);
	for (uint32_t i = 0; i < r->frames; i++)
		r->by_sp[i] = i;
	qsort_r(r->by_sp, r->frames, sizeof *r->by_sp, region_by_sp, (void *)(uintptr_t)heap);
}

static void regions_mark_others(struct regions *r)
{
	const struct heap *heap = r->heap;
	for (uint32_t i = 0; i < r->segments; i++)
		region_mark(r, heap->segments[i].fields, r->other_bit[i], heap->segments[i].size);
	for (uint32_t i = 0; i < r->frames; i++)
		region_mark(r, heap->frames[i].record.fields, r->other_bit[r->segments + i],
		            heap->frames[i].record.size);
}

void regions_init_others(struct regions *r, const struct heap *heap)
{
	regions_begin(r, heap, NULL);
	r->mask = mem_column_few(r->mask_size);
	r->run_noscan = mem_column_few(r->run_noscan_size);
	regions_mark_others(r);
}

bool regions_init(struct regions *r, const struct heap *heap, struct progress *progress)
{
	size_t runs = objects_run_count(heap->objects), i = 0;
	struct starts_maker places;
	regions_begin(r, heap, heap->columns->outline);
	r->mask = r->outline ? r->outline->mask : mem_column(r->mask_size);
	r->run_noscan = mem_column(r->run_noscan_size);
	starts_begin(&places, r->objects + 1ULL);
	regions_mark_others(r);
	progress_begin(progress, "reading the shapes of objects", runs);
	for (bool going_on = true; going_on && i < runs; i++) {
		struct objects_run_view run;
		objects_run(heap->objects, i, &run);
		(r->outline ? outline_run : mark_run)(r, &places, i);
		r->run_noscan[i] = !any_pointer(r, r->run_bit[i], run.count * words_of(r, run.stored));
		going_on = progress_step(progress, i);
	}
	r->places = starts_end(&places);
	return i == runs;
}

void regions_fini(struct regions *r)
{
	if (!r->outline)
		mem_column_free(r->mask, r->mask_size);
	starts_fini(&r->places);
	mem_column_free(r->run_noscan, r->run_noscan_size);
	free(r->run_gap);
	free(r->run_bit);
	free(r->other_bit);
	free(r->by_sp);
}

uint64_t regions_bit(const struct regions *r, size_t run, const struct objects_run_view *view,
                     uint32_t id)
{
	return r->run_bit[run] + (id - view->first) * words_of(r, view->stored);
}

bool regions_run_noscan(const struct regions *r, size_t run, const struct objects_run_view *view,
                        uint32_t id)
{
	return r->run_noscan[run]
	       || !any_pointer(r, regions_bit(r, run, view, id), words_of(r, view->stored));
}

static void region_of_object(const struct regions *r, struct objects_hit hit, uint64_t slot,
                             struct region *region)
{
	const struct run *run = &r->heap->objects->runs[hit.run];
	uint64_t stored = object_stored(run->size), words = words_of(r, stored);
	uint64_t bit = r->run_bit[hit.run] + (hit.object - run->first) * words;
	uint64_t before = hit.object - run->first, at = run->offset;
	if (r->places.base) /* else nothing is known of objects */
		at +=
			(uint32_t)(before * (stored + r->run_gap[hit.run]) + starts_at(&r->places, hit.object));
	/* if the file has changed, fewer bytes may be left */
	uint64_t left = r->heap->input->size - at;
	*region = (struct region){
		.ref = hit.object,
		.run = hit.run,
		.kind = REGION_OBJECT,
		.address = slot,
		.size = stored < left ? stored : left,
		.data = r->heap->input->data + at,
		.bit = bit,
		.header = run->header,
		.noscan = r->run_noscan[hit.run] || !any_pointer(r, bit, words),
	};
}

void regions_get_hit(const struct regions *r, struct objects_hit hit, struct region *region)
{
	struct object_place place;
	objects_place_hit(r->heap->objects, hit, &place);
	region_of_object(r, hit, place.slot, region);
}

void regions_look(const struct regions *r, uint32_t id, struct region *region)
{
	size_t run = objects_run_of(r->heap->objects, id);
	region_of_object(r, (struct objects_hit){id, (uint32_t)run}, 0, region);
}

void regions_get(const struct regions *r, uint32_t ref, struct region *region)
{
	if (ref < r->objects) {
		size_t run = objects_run_of(r->heap->objects, ref);
		regions_get_hit(r, (struct objects_hit){ref, (uint32_t)run}, region);
		return;
	}
	uint32_t other = ref - r->objects;
	*region = (struct region){.ref = ref, .bit = r->other_bit[other]};
	if (other < r->segments) {
		const struct segment_record *s = &r->heap->segments[other];
		region->kind = REGION_SEGMENT;
		region->address = s->address;
		region->size = s->size;
		region->data = s->data;
	} else {
		const struct frame_record *f = &r->heap->frames[other - r->segments].record;
		region->kind = REGION_FRAME;
		region->address = f->sp;
		region->size = f->size;
		region->data = f->data;
	}
}

static uint64_t sp_of_frame(const void *of, size_t at)
{
	const struct regions *r = of;
	return r->heap->frames[r->by_sp[at]].record.sp;
}

static bool region_find_other(const struct regions *r, uint64_t address, uint32_t *ref)
{
	for (uint32_t i = 0; i < r->segments; i++)
		if (address - r->heap->segments[i].address < r->heap->segments[i].size) {
			*ref = r->objects + i;
			return true;
		}
	size_t after = upper_bound_of(r, 0, r->frames, sp_of_frame, address);
	if (after == 0)
		return false;
	const struct frame_record *f = &r->heap->frames[r->by_sp[after - 1]].record;
	*ref = r->objects + r->segments + r->by_sp[after - 1];
	return address - f->sp < f->size;
}

bool regions_find_hit(const struct regions *r, uint64_t address, struct objects_hit hit,
                      struct region *region)
{
	uint32_t ref;
	if (hit.object != OBJECT_NONE)
		region_of_object(r, hit, objects_slot(r->heap->objects, hit.run, address), region);
	else if (region_find_other(r, address, &ref))
		regions_get(r, ref, region);
	else
		return false;
	/* Go writes only a part of a very large object */
	return address - region->address < region->size;
}

bool regions_find(const struct regions *r, uint64_t address, struct region *region)
{
	struct objects_hit hit;
	objects_locate_many(r->heap->objects, &address, &hit, 1);
	return regions_find_hit(r, address, hit, region);
}

void regions_prefetch(const struct regions *r, struct objects_hit hit)
{
	const struct run *run = &r->heap->objects->runs[hit.run];
	uint64_t words = words_of(r, object_stored(run->size));
	uint64_t bit = r->run_bit[hit.run] + (hit.object - run->first) * words;
	__builtin_prefetch(&r->mask[bit / 64]);
	starts_prefetch(&r->places, hit.object);
}
