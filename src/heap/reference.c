/* Caches offsets of references in objects with many pointers: after some queries the pointers of
   such an object are sorted by target. */
#include "heap/reference.h"

#include "base/bound.h"
#include "base/map.h"
#include "base/mem.h"
#include "heap/columns.h"
#include "heap/edges.h"
#include "heap/heap.h"
#include "heap/pointer_walk.h"

#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

/* Objects with fewer references are scanned. Sorting takes about as long as LONG_SCANS scans. */
enum {
	LONG_REFERENCES = 1024,
	LONG_SCANS = 24,
	LONG_TOLD = 8,
	LONG_UNIT = 4,
	TARGET_SHIFT = 32,
	DIGIT_BITS = 11
};

struct long_holder {
	/* target << 32 | offset in units, ascending; NULL: not sorted, or not possible */
	uint64_t *places;
	size_t count;
	unsigned scans;
	struct told { /* results of the last scans: a screen repeats a query for several columns */
		uint32_t to;
		size_t nth;
		uint64_t offset;
	} told[LONG_TOLD];
};

struct long_holders {
	pthread_mutex_t lock;
	struct map numbers; /* object -> index into `holder` */
	struct long_holder *holder;
	size_t count, capacity;
};

struct long_holders *long_holders_new(void)
{
	struct long_holders *holders = mem_alloc(sizeof *holders);
	pthread_mutex_init(&holders->lock, NULL);
	return holders;
}

void long_holders_free(struct long_holders *holders)
{
	for (size_t i = 0; i < holders->count; i++)
		free(holders->holder[i].places);
	pthread_mutex_destroy(&holders->lock);
	map_free(&holders->numbers);
	free(holders->holder);
	free(holders);
}

static struct long_holder *long_holder_of(struct long_holders *holders, uint32_t id)
{
	uint64_t number = holders->count;
	if (map_add(&holders->numbers, id, &number))
		MEM_PUSH(holders->holder, holders->count, holders->capacity, (struct long_holder){0});
	return &holders->holder[number];
}

/* Sorts by one digit of the targets into `to`; stable. Returns false if all have the same digit. */
static bool long_holder_pass(const uint64_t *from, uint64_t *to, size_t count, unsigned shift)
{
	enum { DIGITS = 1 << DIGIT_BITS };
	size_t place[DIGITS] = {0}, sum = 0;
	for (size_t i = 0; i < count; i++)
		place[from[i] >> shift & (DIGITS - 1)]++;
	if (place[from[0] >> shift & (DIGITS - 1)] == count)
		return false;
	for (size_t digit = 0; digit < DIGITS; digit++) {
		size_t of_digit = place[digit];
		place[digit] = sum;
		sum += of_digit;
	}
	for (size_t i = 0; i < count; i++)
		to[place[from[i] >> shift & (DIGITS - 1)]++] = from[i];
	return true;
}

/* Radix sort by target; offsets ascend already. */
static void long_holder_order(struct long_holder *holder)
{
	uint64_t *other = mem_alloc(holder->count * sizeof *other);
	for (unsigned shift = TARGET_SHIFT; shift < 64 && holder->count; shift += DIGIT_BITS) {
		uint64_t *places = holder->places;
		if (!long_holder_pass(places, other, holder->count, shift))
			continue;
		holder->places = other;
		other = places;
	}
	free(other);
}

/* Collects targets and offsets; `room` is the number of references. Returns false if an offset does
   not fit, or if offsets do not ascend as in all lists written by Go. */
static bool long_holder_collect(struct long_holder *holder, const struct heap *heap, uint32_t id,
                                size_t room)
{
	struct object_record record;
	struct pointer_walk walk;
	struct pointer pointer;
	uint64_t last = 0;
	if (!heap_object(heap, id, &record))
		return false;
	pointer_walk_linked(&walk, heap, id, &record);
	while (pointer_walk_next(&walk, &pointer)) {
		if (pointer.target == OBJECT_NONE)
			continue;
		if (holder->count == room || pointer.offset < last || pointer.offset % LONG_UNIT
		    || pointer.offset / LONG_UNIT > UINT32_MAX)
			return false;
		last = pointer.offset;
		holder->places[holder->count++] = (uint64_t)pointer.target << 32
		                                  | pointer.offset / LONG_UNIT;
	}
	return true;
}

static void long_holder_sort(struct long_holder *holder, const struct heap *heap, uint32_t id,
                             size_t room)
{
	holder->places = mem_alloc(room * sizeof *holder->places);
	if (long_holder_collect(holder, heap, id, room)) {
		long_holder_order(holder);
		return;
	}
	free(holder->places);
	holder->places = NULL;
}

static uint64_t long_holder_find(const struct long_holder *holder, uint32_t to, size_t nth)
{
	static const struct bound_by itself = {sizeof(uint64_t), 0, sizeof(uint64_t)};
	size_t first = lower_bound(holder->places, holder->count, itself, (uint64_t)to << TARGET_SHIFT);
	if (nth >= holder->count - first || holder->places[first + nth] >> TARGET_SHIFT != to)
		return UINT64_MAX;
	return (holder->places[first + nth] & UINT32_MAX) * LONG_UNIT;
}

/* Scans the object; compares addresses instead of looking up each pointer. */
uint64_t reference_offset_scan(const struct heap *heap, uint32_t from, uint32_t to, size_t nth)
{
	struct object_place place;
	struct object_record record;
	uint64_t offset, width = heap->params.layout.pointer_size;
	objects_place(heap->objects, to, &place);
	if (!heap_object(heap, from, &record))
		return UINT64_MAX;
	while (fields_next(&record.fields, &offset)) {
		if (record.stored < width || offset > record.stored - width || offset < record.header)
			continue;
		if (heap_word(heap, record.data + offset) - place.slot < place.size && nth-- == 0)
			return offset - record.header;
	}
	return UINT64_MAX;
}

static bool long_holder_known(const struct long_holder *holder, uint32_t to, size_t nth,
                              uint64_t *offset)
{
	unsigned told = holder->scans < LONG_TOLD ? holder->scans : LONG_TOLD;
	for (unsigned i = 0; i < told; i++)
		if (holder->told[i].to == to && holder->told[i].nth == nth) {
			*offset = holder->told[i].offset;
			return true;
		}
	return false;
}

static uint64_t long_holder_answer(struct long_holder *holder, const struct heap *heap,
                                   uint32_t from, uint32_t to, size_t nth)
{
	uint64_t offset;
	if (holder->places)
		return long_holder_find(holder, to, nth);
	if (long_holder_known(holder, to, nth, &offset))
		return offset;
	if (holder->scans == LONG_SCANS)
		long_holder_sort(holder, heap, from, heap_references(heap, from).count);
	offset = holder->places ? long_holder_find(holder, to, nth)
	                        : reference_offset_scan(heap, from, to, nth);
	holder->told[holder->scans++ % LONG_TOLD] = (struct told){to, nth, offset};
	return offset;
}

/* The same for a listed object: the places are the numbers of its references. */
static uint64_t long_holder_answer_listed(struct long_holder *holder, const struct heap *heap,
                                          uint32_t from, uint32_t to, size_t nth)
{
	struct ids ids = heap_references(heap, from);
	if (!holder->places) {
		holder->places = mem_alloc(ids.count * sizeof *holder->places);
		for (; holder->count < ids.count; holder->count++)
			holder->places[holder->count] = (uint64_t)ids.id[holder->count] << TARGET_SHIFT
			                                | holder->count;
		long_holder_order(holder);
	}
	uint64_t found = long_holder_find(holder, to, nth);
	return found == UINT64_MAX ? listed_reference_find(heap, from, to, nth)
	                           : PLACE_NUMBER | found / LONG_UNIT;
}

uint64_t reference_offset(const struct heap *heap, uint32_t from, uint32_t to, size_t nth)
{
	struct long_holders *holders = heap->columns->long_holders;
	if (heap_references(heap, from).count < LONG_REFERENCES)
		return heap->log ? listed_reference_find(heap, from, to, nth)
		                 : reference_offset_scan(heap, from, to, nth);
	pthread_mutex_lock(&holders->lock);
	struct long_holder *holder = long_holder_of(holders, from);
	uint64_t offset = heap->log ? long_holder_answer_listed(holder, heap, from, to, nth)
	                            : long_holder_answer(holder, heap, from, to, nth);
	pthread_mutex_unlock(&holders->lock);
	return offset;
}

/* ---- Listed objects */

/* References of listed objects with their places and strengths. */

const char *const strength_names[STRENGTHS] = {"strong", "soft", "weak", "ephemeron"};

struct weak_references heap_weak_references(const struct heap *heap)
{
	return (struct weak_references){heap->columns->weak, heap->columns->weak_count};
}

struct weak_references heap_weak_references_of(const struct heap *heap, uint32_t id)
{
	struct weak_references all = heap_weak_references(heap);
	if (!all.count)
		return all;
	size_t first = lower_bound(all.item, all.count, BOUND_BY(struct weak_reference, from), id);
	size_t end = upper_bound(all.item, all.count, BOUND_BY(struct weak_reference, from), id);
	return (struct weak_references){all.item + first, end - first};
}

struct weak_reference *heap_weak_references_to(const struct heap *heap, uint32_t id, size_t *count)
{
	struct weak_references all = heap_weak_references(heap);
	struct weak_reference *found = NULL;
	size_t capacity = *count = 0;
	for (size_t i = 0; i < all.count; i++)
		if (all.item[i].target == id)
			MEM_PUSH(found, *count, capacity, all.item[i]);
	return found;
}

size_t reference_count(const struct heap *heap, uint32_t id)
{
	return heap_references(heap, id).count + heap_weak_references_of(heap, id).count;
}

size_t reference_count_before(const struct heap *heap, uint32_t id)
{
	struct weak_references weak = heap_weak_references(heap);
	size_t strong = starts_at(&heap->columns->starts, id);
	return strong + lower_bound(weak.item, weak.count, BOUND_BY(struct weak_reference, from), id);
}

static uint64_t reference_end(const void *heap, size_t id)
{
	return reference_count_before(heap, (uint32_t)id + 1);
}

uint32_t reference_owner(const struct heap *heap, size_t number)
{
	return (uint32_t)upper_bound_of(heap, 0, heap_object_count(heap), reference_end, number);
}

static bool reference_is_soft(const struct heap_columns *c, uint64_t edge)
{
	static const struct bound_by itself = {sizeof(uint64_t), 0, sizeof(uint64_t)};
	size_t at = lower_bound(c->soft, c->soft_count, itself, edge);
	return at < c->soft_count && c->soft[at] == edge;
}

struct reference reference_at(const struct heap *heap, uint32_t id, size_t number)
{
	const struct heap_columns *c = heap->columns;
	struct ids strong = heap_references(heap, id);
	if (number >= strong.count) {
		const struct weak_reference *weak =
			&heap_weak_references_of(heap, id).item[number - strong.count];
		return (struct reference){weak->target, weak->place, (enum strength)weak->strength};
	}
	uint64_t edge = starts_at(&c->starts, id) + number;
	return (struct reference){strong.id[number], c->place ? c->place[edge] : PLACE_NONE,
	                          reference_is_soft(c, edge) ? STRENGTH_SOFT : STRENGTH_STRONG};
}

bool reference_numbered(const struct heap *heap, uint32_t id, uint64_t place,
                        struct reference *reference)
{
	uint64_t number = place & ~PLACE_NUMBER;
	if (place_is_offset(place) || number >= reference_count(heap, id))
		return false;
	*reference = reference_at(heap, id, (size_t)number);
	return true;
}

bool reference_add_place(const struct heap *heap, uint32_t place, struct buf *name, uint64_t *index)
{
	return place == PLACE_NONE || !heap->format->place
	       || heap->format->place(heap->reader, place, name, index);
}

uint64_t listed_reference_find(const struct heap *heap, uint32_t from, uint32_t to, size_t nth)
{
	struct ids strong = heap_references(heap, from);
	struct weak_references weak = heap_weak_references_of(heap, from);
	for (size_t i = 0; i < strong.count; i++)
		if (strong.id[i] == to && nth-- == 0)
			return PLACE_NUMBER | i;
	for (size_t i = 0; i < weak.count; i++)
		if (weak.item[i].target == to && nth-- == 0)
			return PLACE_NUMBER | (strong.count + i);
	return UINT64_MAX;
}
