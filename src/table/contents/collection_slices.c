/* The arrays of slices. An element is in use if it lies in the window of any slice over the array:
   the union of intervals, merged after one sort. */
#include "base/bound.h"
#include "base/mem.h"
#include "go/runtime/gosync.h"
#include "go/runtime/size_class.h"
#include "go/types/part_kinds.h"
#include "heap/heap.h"
#include "heap/root.h"
#include "table/contents/collections.h"
#include "table/naming/root.h"

#include <stdlib.h>
#include <string.h>

enum { DEPTH = 64 };
enum { MARK_HEADERS = 1, MARK_ARRAY = 2, MARK_SYNC = 4 };

/* An array that belongs to nothing else: what is not known of its object. */
struct slice_array {
	uint32_t start, end; /* one window, extended by those that overlap it */
	uint32_t told;   /* the largest capacity in a header, or UINT32_MAX; 0: there is no window */
	uint32_t object; /* OBJECT_NONE: a sync.Map was found here, the next one of these */
};

struct collection_slices {
	struct collections_search *search;
	struct slice_array *array; /* in the order in which they are found */
	size_t arrays, array_capacity;
	struct collection *sync;
	size_t syncs, sync_capacity;
	struct slice_window *window; /* only windows that overlap no earlier one of their array */
	size_t windows, window_capacity;
	struct object_reader reader; /* of arrays, by address */
	struct part_kinds kinds;
	struct type_marks marks; /* bits MARK_ */
	uint32_t object;         /* the object that is examined */
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

/* Adds an array that belongs to nothing else. */
static void collection_slices_add(struct collection_slices *slices, struct slice_array array)
{
	MEM_PUSH(slices->array, slices->arrays, slices->array_capacity, array);
	slices->search->of[array.object] = (uint32_t)slices->arrays;
}

/* Returns true if an object with these elements can be the array of a slice. */
static bool collection_is_array(struct collection_slices *slices, const struct typed *typed)
{
	return typed->type && !typed->text && typed->source != SOURCE_BLOCK
	       && type_marks_of(&slices->marks, typed->type) & MARK_ARRAY;
}

/* ---- Slice headers */

/* Adds a window to an array. The array itself stores one window, extended by all that overlap it,
   so that few arrays need a list. */
static void collection_slices_add_window(struct collection_slices *slices, size_t number,
                                         struct slice_array window)
{
	struct slice_array *array = &slices->array[number];
	if (!array->told) {
		*array = window;
		return;
	}
	array->told = window.told > array->told ? window.told : array->told;
	if (window.start <= array->end && window.end >= array->start) {
		array->start = window.start < array->start ? window.start : array->start;
		array->end = window.end > array->end ? window.end : array->end;
	} else {
		MEM_PUSH(slices->window, slices->windows, slices->window_capacity,
		         (struct slice_window){number, window.start, window.end});
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
	if (typed.type != elem)
		return;
	uint64_t start = data - objects_begin_of(heap_objects(search->heap), object, data);
	if (start % size || start / size >= typed.count || length > typed.count - start / size)
		return;
	start /= size;
	uint64_t told = capacity < UINT32_MAX - start ? start + capacity : UINT32_MAX;
	struct slice_array window = {(uint32_t)start, (uint32_t)(start + length), (uint32_t)told,
	                             object};
	if (search->of[object] && search->of[object] != COLLECTION_PART)
		collection_slices_add_window(slices, search->of[object] - 1, window);
	else if (collections_is_free(search, object) && collection_is_array(slices, &typed))
		collection_slices_add(slices, window);
}

/* Sets the unused capacity of an array. If the largest capacity in a header is smaller than the
   array, and the difference is only size class rounding, that capacity is the array's. */
static void collection_slices_close(struct collection_slices *slices, struct collection *item)
{
	const struct heap *heap = slices->search->heap;
	uint64_t size = collection_slices_type(slices, item->type)->size;
	struct object_place place;
	if (item->told < item->capacity) {
		objects_place(heap->objects, item->object, &place);
		if (size_class_fits(place.size, place.header + item->told * size))
			item->capacity = item->told;
	}
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

/* Returns true if elements of an array are in none of its windows, which are sorted by start. */
static bool collection_slices_have_gaps(const struct slice_window *window, size_t count,
                                        uint64_t capacity)
{
	uint64_t at = 0;
	for (size_t i = 0; i < count && window[i].start <= at; i++)
		at = window[i].end > at ? window[i].end : at;
	return at < capacity;
}

/* Adds up the windows of one array, which are sorted by start. */
static void collection_slices_sum(struct collection_slices *slices, struct collection *item,
                                  const struct slice_window *window, size_t count)
{
	const struct heap *heap = slices->search->heap;
	uint64_t size = collection_slices_type(slices, item->type)->size, at = 0;
	struct object_record record;
	bool leads = heap_references(heap, item->object).count > 0
	             && collection_slices_have_gaps(window, count, item->capacity)
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
	collection_slices_close(slices, item);
}

ORDER_BY_TWO(slice_windows_in_order, struct slice_window, item, start);

/* Returns the collection of an array, without its windows. */
static struct collection collection_of_array(struct collections_search *search,
                                             const struct slice_array *array)
{
	struct typed typed = typing_object(search->typing, array->object);
	struct collection item = collections_begin(search, COLLECTION_SLICE, array->object, typed.type);
	item.has_capacity = true;
	item.has_length = array->told;
	item.capacity = typed.count;
	item.start = array->start;
	item.end = array->end;
	item.told = array->told;
	item.bytes = search->usual.bytes;
	item.parts = 1;
	return item;
}

/* Adds the arrays to the collections, each with its own window and those that did not fit there. */
static void collection_slices_sum_all(struct collection_slices *slices)
{
	const struct slice_window *more = slices->window;
	struct slice_window *window = NULL;
	size_t capacity = 0, count, next = 0, sync = 0;
	if (slices->windows)
		qsort(slices->window, slices->windows, sizeof *more, slice_windows_in_order);
	for (size_t i = 0; i < slices->arrays; i++) {
		const struct slice_array *array = &slices->array[i];
		if (array->object == OBJECT_NONE) {
			collections_add(slices->search, &slices->sync[sync++], NULL, 0);
			continue;
		}
		struct collection item = collection_of_array(slices->search, array);
		for (count = 0; next < slices->windows && more[next].item == i; next++)
			MEM_PUSH(window, count, capacity, more[next]);
		if (item.has_length) {
			MEM_PUSH(window, count, capacity, (struct slice_window){i, array->start, array->end});
			qsort(window, count, sizeof *window, slice_windows_in_order);
			collection_slices_sum(slices, &item, window, count);
		}
		collections_add(slices->search, &item, window, count);
	}
	free(window);
}

/* Returns true if values of a type contain slices or sync.Maps. */
static bool collection_has_headers(struct collection_slices *slices, gotype_id id)
{
	return type_marks_of(&slices->marks, id) & MARK_HEADERS;
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
	} else if (type_marks_of(&slices->marks, id) & MARK_SYNC) {
		struct collection item = {
			.address = slices->address + offset,
			.object = slices->object,
			.root = slices->root,
			.retainer = OBJECT_NONE,
			.type = id,
		};
		if (!collections_fill_sync(slices->search, &item, slices->data + offset,
		                           slices->room - offset))
			return;
		MEM_PUSH(slices->sync, slices->syncs, slices->sync_capacity, item);
		MEM_PUSH(slices->array, slices->arrays, slices->array_capacity,
		         (struct slice_array){.object = OBJECT_NONE});
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

static void collection_slices_in_object(struct collection_slices *slices,
                                        struct walk_object *object)
{
	const struct typing *typing = slices->search->typing;
	const struct typed *typed = &object->typed;
	struct typed_part part;
	uint32_t n = 0;
	bool whole = typed->type && !typed->text;
	if (whole ? !typed->count || !collection_has_headers(slices, typed->type)
	          : !typing_part(typing, object->id, &(uint32_t){0}, &part))
		return;
	if (!walk_object_read(object))
		return;
	slices->object = object->id;
	slices->root = UINT32_MAX;
	slices->address = object->record.slot;
	slices->data = object->record.data;
	slices->room = object->record.stored;
	if (whole)
		collection_slices_visit(slices, object->record.header, typed->type, typed->count, 0);
	while (!whole && typing_part(typing, object->id, &n, &part))
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

/* ---- The walk */

static uint8_t collection_slices_mark(void *self, gotype_id type)
{
	struct collection_slices *slices = self;
	const struct goruntime *rt = slices->search->runtime;
	uint32_t headers = UINT32_C(1) << GO_SLICE | PART_SYNC_MAP;
	bool sync = part_kinds_of(&slices->kinds, type) & PART_SYNC_MAP
	            && gosync_role(collection_slices_type(slices, type)->name) == GOSYNC_MAP;
	bool array = type && !goruntime_container(rt, type) && !gomap_is_between(rt, type)
	             && !gosync_is_part(rt, type);
	return (part_kinds_of(&slices->kinds, type) & headers ? MARK_HEADERS : 0)
	       | (array ? MARK_ARRAY : 0) | (sync ? MARK_SYNC : 0);
}

struct collection_slices *collection_slices_new(struct collections_search *search)
{
	struct collection_slices *slices = mem_alloc(sizeof *slices);
	slices->search = search;
	slices->reader.heap = search->heap;
	slices->kinds.types = search->types;
	slices->marks = (struct type_marks){.mark = collection_slices_mark, .self = slices};
	return slices;
}

bool collection_slices_wants(struct collection_slices *slices, gotype_id type)
{
	return !type || type_marks_of(&slices->marks, type);
}

void collection_slices_see(struct collection_slices *slices, struct walk_object *object)
{
	if (object->typed.count > 1 && collections_is_free(slices->search, object->id)
	    && collection_is_array(slices, &object->typed))
		collection_slices_add(slices, (struct slice_array){.object = object->id});
	collection_slices_in_object(slices, object);
}

void collection_slices_end(struct collection_slices *slices)
{
	collection_slices_in_roots(slices);
	collection_slices_sum_all(slices);
	free(slices->array);
	free(slices->sync);
	free(slices->window);
	part_kinds_fini(&slices->kinds);
	type_marks_fini(&slices->marks);
	free(slices);
}
