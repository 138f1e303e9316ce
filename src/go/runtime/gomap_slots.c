/* Layout of entries in buckets and groups. */
#include "gomap_kind.h"

#include "heap/heap.h"

/* A field of a bucket with eight elements, one per slot. */
struct row {
	gotype_id elem;
	uint64_t offset, step;
};

static bool row_named(const struct gotypes *types, gotype_id type, const char *const names[2],
                      struct row *row)
{
	for (size_t i = 0; i < 2; i++) {
		gotype_id id = gotype_field_named(types, type, names[i], &row->offset);
		const struct gotype *array = gotype_get(types, id);
		if (!id || array->kind != GO_ARRAY || array->count != GOMAP_SLOTS)
			continue;
		row->elem = array->elem;
		row->step = gotype_get(types, array->elem)->size;
		return true;
	}
	return false;
}

/* Finds separate rows of keys and values: in buckets, and in split groups (an option of Go
   1.27). */
static bool find_rows(const struct gotypes *types, gotype_id type, struct gomap_slots *slots)
{
	static const char *const keys[2] = {"keys", "keys"}, *const values[2] = {"values", "elems"};
	struct row key, value;
	if (!row_named(types, type, keys, &key) || !row_named(types, type, values, &value))
		return false;
	slots->key = key.elem;
	slots->key_at = key.offset;
	slots->key_step = key.step;
	slots->value = value.elem;
	slots->value_at = value.offset;
	slots->value_step = value.step;
	return true;
}

/* Finds slots with a key and a value each. */
static bool find_pairs(const struct gotypes *types, gotype_id type, struct gomap_slots *slots)
{
	static const char *const names[2] = {"slots", "slots"};
	struct row row;
	uint64_t key_at, value_at;
	if (!row_named(types, type, names, &row))
		return false;
	slots->key = gotype_field_named(types, row.elem, "key", &key_at);
	slots->value = gotype_field_named(types, row.elem, "elem", &value_at);
	if (!slots->key || !slots->value)
		return false;
	slots->key_at = row.offset + key_at;
	slots->value_at = row.offset + value_at;
	slots->key_step = slots->value_step = row.step;
	return true;
}

const struct gomap_kind *gomap_slots_kind(const struct gotypes *types, gotype_id type,
                                          uint64_t *control)
{
	for (size_t i = 0; i < 2 * GOMAP_KINDS; i++) {
		const struct gomap_kind *kind = gomap_kinds[i / 2];
		gotype_id id = gotype_field_named(types, type, kind->control[i % 2], control);
		if (id && gotype_get(types, id)->size == GOMAP_SLOTS)
			return kind;
	}
	return NULL;
}

/* Finds keys and values stored as pointers because they are large. The bucket type does not
   distinguish them from pointer keys; the map type does. */
static void find_boxes(const struct goruntime *in, gotype_id type, struct gomap_slots *slots)
{
	enum { LARGE = 128 };
	const struct gotypes *types = in->types;
	gotype_id id = goruntime_container(in, type);
	const struct gotype *map = gotype_get(types, id);
	if (!id)
		return;
	slots->key_boxed = gotype_get(types, map->key)->size > LARGE;
	slots->value_boxed = gotype_get(types, map->elem)->size > LARGE;
	slots->key = slots->key_boxed ? map->key : slots->key;
	slots->value = slots->value_boxed ? map->elem : slots->value;
}

static bool gomap_slots_has_room(const struct gomap_slots *slots, uint64_t at, uint64_t step,
                                 uint64_t size)
{
	return size <= slots->size && at <= slots->size - size
	       && (slots->size - size - at) / (GOMAP_SLOTS - 1) >= step;
}

/* Returns true if all parts lie within the bucket, whatever the file declares. */
static bool gomap_slots_is_sound(const struct goruntime *in, const struct gomap_slots *slots)
{
	const struct gotypes *types = in->types;
	uint64_t width = in->heap->params.layout.pointer_size;
	uint64_t key = slots->key_boxed ? width : gotype_get(types, slots->key)->size;
	uint64_t value = slots->value_boxed ? width : gotype_get(types, slots->value)->size;
	return gomap_slots_has_room(slots, slots->control, 1, 1)
	       && gomap_slots_has_room(slots, slots->key_at, slots->key_step, key)
	       && gomap_slots_has_room(slots, slots->value_at, slots->value_step, value)
	       && (slots->overflow == UINT64_MAX
	           || (width <= slots->size && slots->overflow <= slots->size - width));
}

bool gomap_slots(const struct goruntime *in, gotype_id type, struct gomap_slots *slots)
{
	const struct gotypes *types = in->types;
	*slots = (struct gomap_slots){.overflow = UINT64_MAX, .size = gotype_get(types, type)->size};
	slots->kind = gomap_slots_kind(types, type, &slots->control);
	if (!slots->kind || (!find_rows(types, type, slots) && !find_pairs(types, type, slots)))
		return false;
	gotype_field_named(types, type, "overflow", &slots->overflow);
	find_boxes(in, type, slots);
	return gomap_slots_is_sound(in, slots);
}

enum gomap_use gomap_slot_use(const struct goruntime *in, const struct gomap_slots *slots,
                              const uint8_t *bucket, unsigned slot, bool old)
{
	return slots->kind->use(in, bucket + slots->control, slot, old);
}

static bool row_at(uint64_t at, uint64_t step, uint64_t size, uint64_t offset, unsigned *slot)
{
	if (offset < at || !step || (offset - at) / step >= GOMAP_SLOTS || (offset - at) % step >= size)
		return false;
	*slot = (unsigned)((offset - at) / step);
	return true;
}

bool gomap_slot_at(const struct goruntime *in, const struct gomap_slots *slots, uint64_t offset,
                   unsigned *slot, bool *is_value)
{
	const struct gotypes *types = in->types;
	uint64_t width = in->heap->params.layout.pointer_size;
	uint64_t key = slots->key_boxed ? width : gotype_get(types, slots->key)->size;
	uint64_t value = slots->value_boxed ? width : gotype_get(types, slots->value)->size;
	*is_value = row_at(slots->value_at, slots->value_step, value, offset, slot);
	return *is_value || row_at(slots->key_at, slots->key_step, key, offset, slot);
}

static struct gomap_part part_get(const struct goruntime *in, const uint8_t *bucket,
                                  uint64_t address, uint64_t offset, gotype_id type, bool boxed)
{
	struct gomap_part part = {address + offset, address + offset, bucket + offset,
	                          gotype_get(in->types, type)->size};
	if (boxed) {
		part.address = heap_word(in->heap, bucket + offset);
		part.data = gomemory_bytes(in, part.address, part.size);
	}
	return part;
}

void gomap_entry_get(const struct goruntime *in, const struct gomap_slots *slots,
                     const uint8_t *bucket, uint64_t address, unsigned slot,
                     struct gomap_entry *entry)
{
	entry->key = part_get(in, bucket, address, slots->key_at + slot * slots->key_step, slots->key,
	                      slots->key_boxed);
	entry->value = part_get(in, bucket, address, slots->value_at + slot * slots->value_step,
	                        slots->value, slots->value_boxed);
}
