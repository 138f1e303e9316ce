/* The search scans the part of the file that contains objects, and maps hits to objects afterwards.
   So every byte is read once. */
#include "analysis/find.h"

#include "base/bound.h"
#include "base/input.h"
#include "base/mem.h"
#include "base/needle.h"
#include "base/progress.h"
#include "format/record.h"
#include "heap/heap.h"
#include "heap/object_ids.h"
#include "heap/record_index.h"

#include <stdlib.h>

enum {
	PIECE = 4 << 20, /* bytes between two checks for cancellation */
	FRAMES = 1 << 10,
	SAMPLES = 64,
	SAMPLE = 4096
};

struct search {
	const struct heap *heap;
	struct needle needle;
	struct progress *progress;
	struct find_hits *hits;
	size_t limit, capacity;
	/* The last decoded object record, its index entry and its number in the entry. */
	struct object_record record;
	size_t entry;
	unsigned in_entry;
};

/* Samples bytes across the file, to find rare ones. */
static void init_needle(struct search *search, const void *bytes, size_t len)
{
	const struct input *input = search->heap->input;
	SCOPED_FREE uint8_t *sample = mem_alloc((size_t)SAMPLES * SAMPLE);
	size_t used = 0;
	for (size_t i = 0; i < SAMPLES && input->size > SAMPLE; i++) {
		size_t from = (input->size - SAMPLE) / SAMPLES * i;
		for (size_t k = 0; k < SAMPLE; k++)
			sample[used++] = input->data[from + k];
	}
	needle_init(&search->needle, bytes, len, sample, used);
}

/* Returns false if the limit is reached. */
static bool add_hit(struct search *search, enum find_place place, uint32_t index, uint64_t offset)
{
	struct find_hits *hits = search->hits;
	hits->more = hits->count == search->limit;
	if (hits->more)
		return false;
	MEM_PUSH(hits->hit, hits->count, search->capacity, (struct find_hit){place, index, offset});
	return true;
}

/* Decodes the object record that contains a byte of the file. */
static bool find_record(struct search *search, uint64_t offset)
{
	const struct heap *heap = search->heap;
	const struct record_index *index = &heap->index;
	size_t entry =
		upper_bound(index->entry, index->count, BOUND_BY(struct record_entry, offset), offset) - 1;
	if (entry == SIZE_MAX || index->entry[entry].kind != RECORD_OBJECT)
		return false;
	bool goes_on = entry == search->entry && offset >= search->record.offset;
	uint64_t at = goes_on ? search->record.offset : index->entry[entry].offset;
	unsigned in_entry = goes_on ? search->in_entry : 0;
	for (; in_entry < index->entry[entry].count; in_entry++) {
		if (!heap->format->object(heap->reader, at, &search->record))
			break;
		search->entry = entry;
		search->in_entry = in_entry;
		if (offset < search->record.end)
			return true;
		at = search->record.end;
	}
	search->entry = SIZE_MAX;
	return false;
}

/* Returns true if a hit lies completely within one object. */
static bool is_in_object(struct search *search, const uint8_t *found, uint32_t *id,
                         uint64_t *offset)
{
	const struct heap *heap = search->heap;
	const struct object_record *record = &search->record;
	if (!find_record(search, (uint64_t)(found - heap->input->data)))
		return false;
	const uint8_t *first = record->data + record->header, *end = record->data + record->stored;
	if (found < first || found >= end || (size_t)(end - found) < search->needle.len)
		return false;
	*id = heap_find(heap, record->slot);
	*offset = (uint64_t)(found - first);
	return *id != OBJECT_NONE && heap_address(heap, *id) == record->slot + record->header;
}

/* Finds the part of the file that contains objects. */
static void find_bounds(const struct heap *heap, size_t *first, size_t *end)
{
	const struct record_index *index = &heap->index;
	*first = *end = 0;
	for (size_t i = 0; i < index->count; i++) {
		if (index->entry[i].kind != RECORD_OBJECT)
			continue;
		if (!*end)
			*first = (size_t)index->entry[i].offset;
		*end = i + 1 < index->count ? (size_t)index->entry[i + 1].offset : heap->input->size;
	}
}

/* Searches a piece of the file. The first of overlapping hits counts, if it is in an object. */
static bool search_piece(struct search *search, const uint8_t **from, const uint8_t *end)
{
	const uint8_t *found;
	while ((found = needle_find(&search->needle, *from, (size_t)(end - *from))) != NULL) {
		uint32_t id;
		uint64_t offset;
		bool good = is_in_object(search, found, &id, &offset);
		if (good && !add_hit(search, FIND_OBJECT, id, offset))
			return false;
		*from = found + (good ? search->needle.len : 1);
	}
	return true;
}

/* Returns false if cancelled. */
static bool search_objects(struct search *search)
{
	const uint8_t *data = search->heap->input->data;
	size_t first, end;
	find_bounds(search->heap, &first, &end);
	progress_begin(search->progress, "searching", end - first);
	const uint8_t *from = data + first;
	for (size_t at = first; at < end; at += PIECE) {
		if (!progress_step(search->progress, at - first))
			return false;
		/* A hit begins in this piece, but may extend into the next. */
		size_t reach = end - at > PIECE ? PIECE + search->needle.len - 1 : end - at;
		reach = reach < end - at ? reach : end - at;
		if (from < data + at)
			from = data + at;
		if (from < data + at + reach && !search_piece(search, &from, data + at + reach))
			return true;
	}
	return true;
}

static bool search_memory(struct search *search, enum find_place place, uint32_t index,
                          const uint8_t *data, uint64_t size)
{
	const uint8_t *from = data, *end = size ? data + size : data, *found;
	while ((found = needle_find(&search->needle, from, (size_t)(end - from))) != NULL) {
		if (!add_hit(search, place, index, (uint64_t)(found - data)))
			return false;
		from = found + search->needle.len;
	}
	return true;
}

static bool search_roots(struct search *search)
{
	const struct heap *heap = search->heap;
	progress_begin(search->progress, "searching stacks", heap->frame_count);
	for (uint32_t i = 0; i < heap->segment_count; i++)
		if (!search_memory(search, FIND_SEGMENT, i, heap->segments[i].data, heap->segments[i].size))
			return true;
	for (uint32_t i = 0; i < heap->frame_count; i++) {
		const struct frame_record *frame = &heap->frames[i].record;
		if (i % FRAMES == 0 && !progress_step(search->progress, i))
			return false;
		if (!search_memory(search, FIND_FRAME, i, frame->data, frame->size))
			return true;
	}
	return true;
}

static int by_place(const void *a, const void *b)
{
	const struct find_hit *x = a, *y = b;
	if (x->place != y->place)
		return x->place < y->place ? -1 : 1;
	if (x->index != y->index)
		return x->index < y->index ? -1 : 1;
	return x->offset < y->offset ? -1 : x->offset > y->offset;
}

bool find_bytes(const struct heap *heap, const void *bytes, size_t len, size_t limit,
                struct progress *progress, struct find_hits *hits)
{
	struct search search = {
		.heap = heap, .progress = progress, .hits = hits, .limit = limit, .entry = SIZE_MAX};
	*hits = (struct find_hits){0};
	init_needle(&search, bytes, len);
	bool done = search_objects(&search) && (hits->more || search_roots(&search));
	if (hits->count)
		qsort(hits->hit, hits->count, sizeof *hits->hit, by_place);
	return done;
}

void find_hits_fini(struct find_hits *hits)
{
	free(hits->hit);
}
