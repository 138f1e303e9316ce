/* Maps, channels and closures, told by where their pointers are and by numbers that must agree
   (runtime/map.go up to Go 1.23, internal/runtime/maps after). */
#include "types/channel.h"
#include "types/labelling.h"

/* An object that is looked at: its first words. */
struct probe {
	struct labels *l;
	struct region region;
	unsigned width;
	uint64_t bytes;    /* that the program sees */
	uint64_t pointers; /* a bit a word, of the first 64: it is listed as a pointer */
};

enum { MOST_WORDS = 64, GROUP_SLOTS = 8, CONTROL_EMPTY = 0x80, CONTROL_DELETED = 0xfe };

static uint64_t label_kind_word(const struct probe *p, uint64_t offset)
{
	return region_word(p->l->regions, &p->region, p->region.header + offset);
}

static uint64_t byte(const struct probe *p, uint64_t offset)
{
	return p->region.data[p->region.header + offset];
}

/* A number of 2, 4 or 8 bytes. */
static uint64_t label_kind_number(const struct probe *p, uint64_t offset, unsigned size)
{
	bool big = p->l->heap->params.layout.big_endian;
	uint64_t value = 0;
	for (unsigned i = 0; i < size; i++)
		value = value << 8 | byte(p, offset + (big ? i : size - 1 - i));
	return value;
}

/* An object of the heap whose first byte an address is; false: it is none. */
static bool label_kind_find(const struct probe *p, uint64_t address, struct probe *found)
{
	uint32_t id = address ? heap_find(p->l->heap, address) : OBJECT_NONE;
	if (id == OBJECT_NONE)
		return false;
	*found = (struct probe){.l = p->l, .width = p->width};
	regions_get(p->l->regions, id, &found->region);
	found->bytes = found->region.size - found->region.header;
	return address == found->region.address + found->region.header;
}

static void label_kind_set(const struct probe *p, enum kind kind)
{
	label_set_kind(p->l, p->region.ref, kind, 0);
}

/* hmap: count, flags, B, noverflow, hash0, buckets, oldbuckets, nevacuate, extra. */
static bool is_hash(const struct probe *p)
{
	unsigned w = p->width;
	uint64_t first = 8 + (uint64_t)w, bits, buckets = label_kind_word(p, first),
			 count = label_kind_word(p, 0);
	if (p->pointers != ((uint64_t)0xb << first / w) || p->bytes < first + 4 * (uint64_t)w)
		return false;
	struct probe target;
	bits = byte(p, w + 1);
	if (bits >= 48 || byte(p, w) >= 32 || count > (uint64_t)4 * GROUP_SLOTS << bits)
		return false;
	if (!buckets)
		return count == 0 && label_kind_number(p, first - 4, 4) != 0;
	if (!label_kind_find(p, buckets, &target) || target.bytes >> bits < 2 * GROUP_SLOTS)
		return false;
	label_kind_set(&target, KIND_BUCKETS);
	if (label_kind_find(p, label_kind_word(p, first + w), &target))
		label_kind_set(&target, KIND_BUCKETS);
	return true;
}

/* How many slots of a group are in use, by its control bytes; -1: it is no group. */
static int slots_in_use(const struct probe *group)
{
	int used = 0;
	for (unsigned i = 0; i < GROUP_SLOTS; i++) {
		uint64_t control = byte(group, i);
		if (control > CONTROL_EMPTY && control != CONTROL_DELETED)
			return -1;
		used += control < CONTROL_EMPTY;
	}
	return used;
}

/* Map: used, seed, dirPtr, dirLen, globalDepth, globalShift, writing ... */
static bool is_swiss(const struct probe *p)
{
	unsigned w = p->width;
	uint64_t used = label_kind_number(p, 0, 8), at = 8 + (uint64_t)w;
	if (p->pointers != (uint64_t)1 << at / w || p->bytes < at + 4 * (uint64_t)w)
		return false;
	uint64_t directory = label_kind_word(p, at), tables = label_kind_word(p, at + w),
			 depth = byte(p, at + 2 * (uint64_t)w);
	struct probe target;
	if (!label_kind_word(p, 8)
	    || (!directory && (used || tables || depth || !label_kind_number(p, 8 + w - 4, 4))))
		return false;
	if (!directory)
		return true;
	if (!label_kind_find(p, directory, &target) || depth >= 32
	    || byte(p, at + 2 * (uint64_t)w + 2) > 1)
		return false;
	bool small = tables == 0 && depth == 0 && target.bytes > GROUP_SLOTS
	             && slots_in_use(&target) == (int)used && used <= GROUP_SLOTS;
	bool large = tables == (uint64_t)1 << depth && size_class_fits(target.bytes, tables * w);
	if (small || large)
		label_kind_set(&target, small ? KIND_GROUPS : KIND_DIRECTORY);
	return small || large;
}

/* table: used, capacity, growthLeft, localDepth, index, groups {data, lengthMask}. */
static bool label_kind_is_table(const struct probe *p)
{
	unsigned w = p->width;
	uint64_t at = 8 + (uint64_t)w, capacity = label_kind_number(p, 2, 2);
	if (p->pointers != (uint64_t)1 << at / w || p->bytes < at + w + 8)
		return false;
	struct probe groups;
	if (capacity < GROUP_SLOTS || (capacity & (capacity - 1))
	    || label_kind_number(p, 0, 2) > capacity || label_kind_number(p, 4, 2) > capacity
	    || byte(p, 6) >= 64 || label_kind_number(p, at + w, 8) != capacity / GROUP_SLOTS - 1)
		return false;
	if (!label_kind_find(p, label_kind_word(p, at), &groups) || groups.bytes < capacity
	    || slots_in_use(&groups) < 0)
		return false;
	label_kind_set(&groups, KIND_GROUPS);
	return true;
}

static bool is_channel(const struct probe *p)
{
	struct channel channel;
	struct probe elements;
	if (!channel_look(p->l->regions, &p->region, &channel))
		return false;
	if (!channel.inside && label_kind_find(p, channel.buffer, &elements))
		label_kind_set(&elements, KIND_CHANNEL_BUFFER);
	label_set_kind(p->l, p->region.ref, KIND_CHANNEL, channel.elem_type);
	return true;
}

/* A func value's object begins with the entry of its function. Without pointers it could as well
   hold numbers: then the function must be one that a frame runs. With a pointer right behind it
   could be an interface, whose types lie somewhere behind the last function that runs. */
static bool label_kind_is_closure(const struct probe *p)
{
	uint64_t entry = label_kind_word(p, 0), frame;
	if ((p->pointers & 1) || entry < p->l->text_low || entry >= p->l->text_high || entry % p->width
	    || p->bytes > MOST_WORDS * p->width)
		return false;
	if (!p->pointers && !map_get(&p->l->functions, entry, &frame))
		return false;
	if ((p->pointers & 2) && entry > p->l->text_last)
		return false;
	label_set_kind(p->l, p->region.ref, KIND_CLOSURE, entry);
	return true;
}

static uint64_t pointers_of(const struct probe *p)
{
	uint64_t bits = 0, words = p->bytes / p->width;
	for (uint64_t i = 0; !p->region.noscan && i < words && i < MOST_WORDS; i++)
		bits |= (uint64_t)region_points(p->l->regions, &p->region, p->region.header + i * p->width)
		        << i;
	return bits;
}

static void label_object(struct labels *l, uint32_t id)
{
	struct probe p = {.l = l, .width = l->regions->width};
	regions_get(l->regions, id, &p.region);
	p.bytes = p.region.size - p.region.header;
	p.pointers = pointers_of(&p);
	if (p.bytes < p.width)
		return;
	/* the smallest of them is a table; what looks like the entry of a function may be its numbers
	 */
	if (p.bytes >= 2 * GROUP_SLOTS + p.width && p.pointers && (is_hash(&p) || is_swiss(&p)))
		label_kind_set(&p, KIND_MAP);
	else if (p.bytes >= 2 * GROUP_SLOTS + p.width && p.pointers && label_kind_is_table(&p))
		label_kind_set(&p, KIND_TABLE);
	else if (!label_kind_is_closure(&p))
		is_channel(&p);
}

/* Between the lowest function that runs and what a program has behind its code. */
static void label_kind_find_text(struct labels *l)
{
	const struct heap *heap = l->heap;
	uint64_t end = UINT64_MAX;
	l->text_low = UINT64_MAX;
	for (uint32_t i = 0; i < heap->frame_count; i++) {
		uint64_t entry = heap->frames[i].record.entry_pc;
		map_put(&l->functions, entry, i);
		l->text_low = entry && entry < l->text_low ? entry : l->text_low;
		l->text_last = entry > l->text_last ? entry : l->text_last;
	}
	for (uint32_t i = 0; i < heap->type_count; i++)
		if (heap->types[i].address > l->text_last && heap->types[i].address < end)
			end = heap->types[i].address;
	for (uint32_t i = 0; i < heap->segment_count; i++)
		if (heap->segments[i].address > l->text_last && heap->segments[i].address < end)
			end = heap->segments[i].address;
	l->text_high = end == UINT64_MAX ? l->text_last + 1 : end;
}

void label_kinds(struct labels *l)
{
	label_kind_find_text(l);
	for (uint32_t id = 0; id < heap_object_count(l->heap); id++)
		if (l->of[id] != LABEL_TYPED)
			label_object(l, id);
}
