/* The arrays of slices. An element is in use if it lies in the window of any slice over the array:
   the union of intervals, merged after one sort. */
#include "base/mem.h"
#include "goruntime/gosync.h"
#include "goruntime/size_class.h"
#include "heap/heap.h"
#include "heap/root.h"
#include "table/contents/collections.h"
#include "table/naming/root.h"
#include "types/part_kinds.h"

#include <stdlib.h>
#include <string.h>

enum { POLL_EVERY = 4096, DEPTH = 64 };

struct collection_slices {
	struct collections_search *search;
	struct slice_window *window; /* only windows that overlap no earlier one of their array */
	size_t windows, window_capacity;
	struct object_reader reader;
	struct part_kinds kinds;
	uint32_t object; /* the object that is examined */
	uint32_t root;
	uint64_t address, room; /* of the examined bytes */
	const uint8_t *data;
};

static const struct gotype *collection_slices_type(const struct collection_slices *slices,
                                                   gotype_id type)
{
	return gotype_get(slices->search->types, type);
}

/* ---- Arrays */

/* Adds an object as an array that belongs to nothing else. */
static void collection_slices_add(struct collection_slices *slices, uint32_t object,
                                  const struct typed *typed)
{
	struct collections_search *search = slices->search;
	struct collection *item =
		collections_add(search, collections_begin(search, COLLECTION_SLICE, object, typed->type));
	item->capacity = typed->count;
	item->has_capacity = true;
	collections_add_part(search, item, object);
	search->of[object] = (uint32_t)search->found->count;
}

/* Returns true if an object with these elements can be the array of a slice. */
static bool collection_is_array(const struct collection_slices *slices, const struct typed *typed)
{
	const struct goruntime *rt = slices->search->runtime;
	return typed->type && !typed->text && typed->source != SOURCE_BLOCK
	       && !goruntime_container(rt, typed->type) && !gomap_is_between(rt, typed->type)
	       && !gosync_is_part(rt, typed->type);
}

/* ---- Slice headers */

static void collection_slices_push(struct collection_slices *slices, struct slice_window window)
{
	slices->window =
		mem_grow(slices->window, slices->windows, &slices->window_capacity, sizeof *slices->window);
	slices->window[slices->windows++] = window;
}

/* Adds a window to an item. The item itself stores one window, extended by all that overlap it, so
   that few arrays need a list. */
static void collection_slices_add_window(struct collection_slices *slices, size_t number,
                                         uint64_t start, uint64_t end)
{
	struct collection *item = &slices->search->found->item[number];
	if (!item->has_length) {
		item->has_length = true;
		item->start = start;
		item->end = end;
	} else if (start <= item->end && end >= item->start) {
		item->start = start < item->start ? start : item->start;
		item->end = end > item->end ? end : item->end;
	} else {
		collection_slices_push(slices, (struct slice_window){number, start, end});
	}
}

/* Adds the window of a slice header: elements from `data` on. */
static void collection_slices_use(struct collection_slices *slices, gotype_id elem, uint64_t data,
                                  uint64_t length, uint64_t capacity)
{
	struct collections_search *search = slices->search;
	uint32_t object = data && capacity && length <= capacity ? heap_find(search->heap, data)
	                                                         : OBJECT_NONE;
	uint64_t size = collection_slices_type(slices, elem)->size;
	if (object == OBJECT_NONE || !size)
		return;
	struct typed typed = typing_object(search->typing, object);
	uint64_t start = data - heap_address(search->heap, object);
	if (typed.type != elem || start % size || start / size >= typed.count
	    || length > typed.count - start / size)
		return;
	if (collections_is_free(search, object) && collection_is_array(slices, &typed))
		collection_slices_add(slices, object, &typed);
	if (search->of[object] == 0 || search->of[object] == COLLECTION_PART)
		return;
	size_t number = search->of[object] - 1;
	struct collection *item = &search->found->item[number];
	if (item->kind != COLLECTION_SLICE)
		return;
	uint64_t told = start / size + capacity;
	item->told = told > item->told ? told : item->told;
	collection_slices_add_window(slices, number, start / size, start / size + length);
}

/* Sets the unused capacity of an array. If the largest capacity in a header is smaller than the
   array, and the difference is only size class rounding, that capacity is the array's. */
static void collection_slices_end(struct collection_slices *slices, struct collection *item)
{
	const struct heap *heap = slices->search->heap;
	uint64_t size = collection_slices_type(slices, item->type)->size;
	struct object_place place;
	objects_place(heap->objects, item->object, &place);
	if (item->told < item->capacity
	    && size_class_fits(place.size, place.header + item->told * size))
		item->capacity = item->told;
	item->has_waste = item->length <= item->capacity;
	item->waste = (item->capacity - item->length) * size;
}

/* Returns the number of elements of [start, end) that are not zero, and so can reference
   something. */
static uint64_t collection_slices_left(const struct object_record *record, uint64_t size,
                                       uint64_t start, uint64_t end)
{
	static const uint8_t zero[64];
	uint64_t room = (record->stored - record->header) / size, count = 0;
	for (uint64_t i = start; i < end && i < room; i++) {
		const uint8_t *at = record->data + record->header + i * size;
		uint64_t same = 0;
		while (same < size) {
			uint64_t step = size - same < sizeof zero ? size - same : sizeof zero;
			if (memcmp(at + same, zero, step) != 0)
				break;
			same += step;
		}
		count += same < size;
	}
	return count;
}

/* Adds up the windows of one array, which are sorted by start. */
static void collection_slices_sum(struct collection_slices *slices,
                                  const struct slice_window *window, size_t count)
{
	struct collection *item = &slices->search->found->item[window->item];
	const struct heap *heap = slices->search->heap;
	uint64_t size = collection_slices_type(slices, item->type)->size, at = 0;
	struct object_record record;
	bool leads = heap_references(heap, item->object).count > 0
	             && object_reader_read(&slices->reader, item->object, &record)
	             && record.stored >= record.header;
	for (size_t i = 0; i < count; i++) {
		if (leads)
			item->outside += collection_slices_left(&record, size, at, window[i].start);
		uint64_t start = window[i].start > at ? window[i].start : at;
		item->length += window[i].end > start ? window[i].end - start : 0;
		at = window[i].end > at ? window[i].end : at;
	}
	if (leads)
		item->outside += collection_slices_left(&record, size, at, item->capacity);
	item->has_outside = true;
	collection_slices_end(slices, item);
}

static int slice_windows_in_order(const void *a, const void *b)
{
	const struct slice_window *x = a, *y = b;
	if (x->item != y->item)
		return x->item < y->item ? -1 : 1;
	return x->start < y->start ? -1 : x->start > y->start;
}

static void collection_slices_sum_all(struct collection_slices *slices)
{
	const struct collections *found = slices->search->found;
	for (size_t i = 0; i < found->count; i++) {
		const struct collection *item = &found->item[i];
		if (item->kind == COLLECTION_SLICE && item->type && item->has_length)
			collection_slices_push(slices, (struct slice_window){i, item->start, item->end});
	}
	if (slices->windows)
		qsort(slices->window, slices->windows, sizeof *slices->window, slice_windows_in_order);
	for (size_t first = 0, end; first < slices->windows; first = end) {
		for (end = first + 1;
		     end < slices->windows && slices->window[end].item == slices->window[first].item;)
			end++;
		collection_slices_sum(slices, &slices->window[first], end - first);
	}
}

/* Returns true if values of a type contain slices or sync.Maps. */
static bool collection_has_headers(struct collection_slices *slices, gotype_id id)
{
	return part_kinds_of(&slices->kinds, id) & (UINT32_C(1) << GO_SLICE | PART_SYNC_MAP);
}

static void collection_slices_read(struct collection_slices *slices, uint64_t offset, gotype_id id)
{
	const struct heap *heap = slices->search->heap;
	unsigned width = heap->params.layout.pointer_size;
	const struct gotype *type = collection_slices_type(slices, id);
	if (offset > slices->room || type->size > slices->room - offset)
		return;
	if (type->kind == GO_SLICE && type->size >= 3 * width) {
		const uint8_t *at = slices->data + offset;
		collection_slices_use(slices, type->elem, heap_word(heap, at), heap_word(heap, at + width),
		                      heap_word(heap, at + 2 * width));
	} else if (part_kinds_of(&slices->kinds, id) & PART_SYNC_MAP
	           && gosync_role(type->name) == GOSYNC_MAP) {
		struct collection item = {
			.address = slices->address + offset,
			.object = slices->object,
			.root = slices->root,
			.retainer = OBJECT_NONE,
			.type = id,
		};
		collections_add_sync(slices->search, item, slices->data + offset, slices->room - offset);
	}
}

/* Reads the slice headers and sync.Maps in the values at an offset. Recursion is bounded: types
   nest no deeper than their sizes allow. */
static void collection_slices_visit(struct collection_slices *slices, uint64_t offset, gotype_id id,
                                    uint64_t count, int depth)
{
	const struct gotype *type = collection_slices_type(slices, id);
	if (!type->size || depth > DEPTH || !collection_has_headers(slices, id))
		return;
	for (; count > 0 && offset < slices->room; count--, offset += type->size) {
		collection_slices_read(slices, offset, id);
		if (type->kind == GO_ARRAY)
			collection_slices_visit(slices, offset, type->elem, type->count, depth + 1);
		for (uint32_t i = 0; type->kind == GO_STRUCT && i < type->fields; i++) {
			const struct gofield *field =
				gotype_field(slices->search->types, type->first_field + i);
			collection_slices_visit(slices, offset + field->offset, field->type, 1, depth + 1);
		}
	}
}

/* ---- Places of headers */

static void collection_slices_in_object(struct collection_slices *slices, uint32_t object)
{
	const struct collections_search *search = slices->search;
	struct typed typed = typing_object(search->typing, object);
	struct object_record record;
	struct typed_part part;
	uint32_t n = 0;
	bool whole = typed.type && !typed.text;
	if (whole && (!typed.count || !collection_has_headers(slices, typed.type)))
		return;
	if (!object_reader_read(&slices->reader, object, &record) || record.stored < record.header)
		return;
	slices->object = object;
	slices->root = UINT32_MAX;
	slices->address = record.slot;
	slices->data = record.data;
	slices->room = record.stored;
	if (whole)
		collection_slices_visit(slices, record.header, typed.type, typed.count, 0);
	while (!whole && typing_part(search->typing, object, &n, &part))
		collection_slices_visit(slices, part.offset, part.type, part.count, 0);
}

static void collection_slices_in_roots(struct collection_slices *slices)
{
	const struct heap *heap = slices->search->heap;
	uint64_t end = 0;
	for (uint32_t i = 0; i < heap->root_kind_first[ROOT_FRAME + 1]; i++) {
		if (heap->roots[i].kind != ROOT_FRAME && heap->roots[i].address < end)
			continue; /* another word of the same sync.Map */
		struct datum value = root_value(slices->search->analysis, &heap->roots[i]);
		if (!value.type || !value.data)
			continue;
		const struct gotype *type = collection_slices_type(slices, value.type);
		if (type->kind == GO_SLICE && !root_is_whole(slices->search->analysis, &heap->roots[i], 3))
			continue;
		if (gosync_role(type->name) == GOSYNC_MAP)
			end = value.address + type->size;
		slices->object = OBJECT_NONE;
		slices->root = i;
		slices->address = value.address;
		slices->data = value.data;
		slices->room = value.room;
		collection_slices_read(slices, 0, value.type);
	}
}

bool collections_find_slices(struct collections_search *search)
{
	struct collection_slices slices = {
		.search = search,
		.reader = {.heap = search->heap},
		.kinds = {.types = search->types},
	};
	const struct reach *reach = analysis_reach(search->analysis);
	uint32_t count = heap_object_count(search->heap);
	bool done = true;
	progress_begin(search->progress, "reading the lengths of slices", count);
	for (uint32_t id = 0; id < count && done; id++) {
		if (id % POLL_EVERY == 0)
			done = progress_step(search->progress, id);
		struct typed typed = typing_object(search->typing, id);
		if (typed.count > 1 && collections_is_free(search, id)
		    && collection_is_array(&slices, &typed))
			collection_slices_add(&slices, id, &typed);
		if (reach_has(reach, id))
			collection_slices_in_object(&slices, id);
	}
	if (done)
		collection_slices_in_roots(&slices);
	collection_slices_sum_all(&slices);
	search->found->window = slices.window;
	search->found->windows = slices.windows;
	part_kinds_fini(&slices.kinds);
	return done;
}
