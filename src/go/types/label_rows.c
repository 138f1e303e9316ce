/* Labels bytes, strings and arrays of slices by the lengths after a pointer to them, and types by
   the word before it in an interface. */
#include "go/types/labelling.h"

enum { TINY_SLOT = 16, LOOKED_AT = 256, SHORTEST_TEXT = 4 };

bool label_rows_is_text(const uint8_t *bytes, uint64_t size)
{
	for (uint64_t i = 0; i < size;) {
		uint32_t c;
		size_t len = text_decode((const char *)bytes + i, size - i, &c);
		if ((len == 1 && c == 0xfffd && size - i >= SHORTEST_TEXT)
		    || (c < ' ' && c != '\t' && c != '\n' && c != '\r') || c == 0x7f)
			return false;
		i += len;
	}
	return size > 0;
}

bool label_is_periodic(const struct regions *r, const struct region *region, uint64_t size,
                       uint64_t count)
{
	unsigned width = r->width;
	uint64_t end = region->header + size * count;
	for (uint64_t at = region->header; at + width <= region->size; at += width) {
		bool expected = at < region->header + size
		                    ? region_points(r, region, at)
		                    : at < end && region_points(r, region, at - size);
		if (region_points(r, region, at) != expected)
			return false;
	}
	return true;
}

uint64_t label_element_size(const struct regions *r, const struct region *object, uint64_t count)
{
	uint64_t room = object->size - object->header, size = count ? room / count : 0;
	unsigned align = object->noscan ? 1 : r->width;
	for (size -= size % align; object->noscan && size > align; align *= 2)
		size -= size % (2 * align <= r->width ? 2 * align : align);
	if (!size || !size_class_fits(object->size, object->header + size * count))
		return 0;
	return size;
}

struct lengths {
	bool any;
	uint64_t length, capacity; /* capacity: 0 if there is no such word */
};

static struct lengths lengths_at(const struct regions *r, const struct region *region, uint64_t at)
{
	struct lengths lengths = {0};
	uint64_t width = r->width;
	lengths.any = at + 2 * width <= region->size && !region_points(r, region, at + width);
	if (lengths.any)
		lengths.length = region_word(r, region, at + width);
	if (lengths.any && at + 3 * width <= region->size && !region_points(r, region, at + 2 * width))
		lengths.capacity = region_word(r, region, at + 2 * width);
	return lengths;
}

/* Labels an object without pointers. An empty buffer has a capacity, too. */
static void label_bytes(struct labels *l, const struct region *object, struct lengths lengths)
{
	bool tiny = object->size <= TINY_SLOT;
	uint64_t length = lengths.length;
	bool string = size_class_fits(object->size, length)
	              || (tiny && length && length <= object->size);
	bool row = lengths.capacity > 1 && length <= lengths.capacity;
	uint64_t shown = length < LOOKED_AT ? length : LOOKED_AT;
	if (row && size_class_fits(object->size, lengths.capacity) && !tiny)
		label_set_kind(l, object->ref, KIND_BYTES, 0);
	else if (row && length && label_element_size(l->regions, object, lengths.capacity) > 1)
		label_set_kind(l, object->ref, KIND_SLICE, 0);
	else if (string && label_rows_is_text(object->data, shown))
		label_set_kind(l, object->ref, KIND_STRING, 0);
}

/* Labels an object by the lengths after the pointer to its first byte at `offset` in `region`. */
static void label_row(struct labels *l, const struct region *region, uint64_t offset,
                      const struct region *object)
{
	struct lengths lengths = lengths_at(l->regions, region, offset);
	if (!lengths.any)
		return;
	if (object->noscan) {
		label_bytes(l, object, lengths);
		return;
	}
	if (lengths.capacity < 2 || lengths.length > lengths.capacity)
		return;
	uint64_t size = label_element_size(l->regions, object, lengths.capacity);
	if (size && label_is_periodic(l->regions, object, size, lengths.capacity))
		label_set_kind(l, object->ref, KIND_SLICE, 0);
}

/* Returns true if the words after the pointer may be lengths: rejects most pointers without access
   to the target. */
static bool may_be_row(const struct labels *l, const struct label_pointer *pointer)
{
	struct lengths lengths = lengths_at(l->regions, &pointer->from, pointer->offset);
	return lengths.any && lengths.length <= l->largest && (lengths.length || lengths.capacity > 1);
}

static bool row_is_wanted(const struct labels *l, uint32_t target)
{
	return label_wanted(l, target, LABEL_ROW)
	       || l->label[labels_of(l, target)].class == LABEL_IDENTITY;
}

/* The label of a target is anywhere in memory: it is asked for last. */
static void label_pointee(struct labels *l, const struct label_pointer *pointer)
{
	unsigned width = l->regions->width;
	uint32_t target = pointer->target;
	struct region object;
	uint64_t before = pointer->offset >= width
	                      ? region_word(l->regions, &pointer->from, pointer->offset - width)
	                      : 0;
	bool pair = pointer->offset >= width && label_may_pair(l, before), row = may_be_row(l, pointer);
	if ((!pair && !row) || !label_wanted(l, target, LABEL_NAME)
	    || (!pair && !row_is_wanted(l, target))
	    || pointer->value != objects_begin_of(heap_objects(l->heap), target, pointer->value))
		return;
	if (pair)
		label_pair(l, before, target);
	if (!row || !row_is_wanted(l, target))
		return;
	regions_look(l->regions, target, &object);
	label_row(l, &pointer->from, pointer->offset, &object);
}

void label_pointees(struct labels *l)
{
	label_each_pointer(l, LABEL_NAME, label_pointee);
}

/* Returns true if the region is text, followed by zeros only. */
static bool is_all_text(const struct region *region)
{
	uint64_t size = region->size < LOOKED_AT ? region->size : LOOKED_AT;
	while (size && !region->data[size - 1])
		size--;
	return size >= SHORTEST_TEXT && label_rows_is_text(region->data, size);
}

void label_texts(struct labels *l)
{
	struct region region;
	for (uint32_t id = label_next(l, 0); id < l->regions->objects; id = label_next(l, id + 1)) {
		if (!label_wanted(l, id, LABEL_ROW))
			continue;
		regions_look(l->regions, id, &region);
		if (region.noscan && is_all_text(&region))
			label_set_kind(l, id, KIND_TEXT, 0);
	}
}
