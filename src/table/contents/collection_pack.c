/* The cached collections, packed: what a collection usually is takes no space. Part of
   table/contents/collections.h. */
#include "collection_pack.h"

#include "base/mem.h"

/* Each collection is a word of flags, the distance of its object from the one before, and those
   numbers that are not as usual, as distances from that. */
enum {
	PACK_KIND = 3,
	PACK_LENGTH = 1 << 2,
	PACK_CAPACITY = 1 << 3,
	PACK_WASTE = 1 << 4,
	PACK_OUTSIDE = 1 << 5,
	PACK_WINDOW = 1 << 6,  /* start ... end is all that slices cover */
	PACK_WINDOWS = 1 << 7, /* a list of windows follows */
	PACK_NUMBER = 1 << 8,  /* the flag of the first number */
	PACK_NUMBERS = 14
};

/* Returns what a collection at an object usually is. */
static struct collection collection_usual(const struct heap *heap, uint32_t object, gotype_id type)
{
	struct object_place place = {0};
	if (object != OBJECT_NONE)
		objects_place(heap_objects(heap), object, &place);
	return (struct collection){
		.address = place.slot + place.header,
		.object = object,
		.root = UINT32_MAX,
		.head = object,
		.retainer = object,
		.type = type,
		.bytes = place.size,
		.parts = 1,
	};
}

struct collection collections_begin(struct collections_search *search, enum collection_kind kind,
                                    uint32_t object, gotype_id type)
{
	struct collection item = search->usual = collection_usual(search->heap, object, type);
	item.kind = kind;
	item.bytes = item.parts = 0;
	return item;
}

/* ---- Packing */

/* Appends a difference, whose sign becomes the lowest bit. */
static void collection_pack_number(struct buf *out, uint64_t number)
{
	buf_add_uvarint(out, number << 1 ^ -(number >> 63));
}

static void collection_pack(const struct collection *item, const struct collection *usual,
                            uint64_t flags, uint64_t step, struct buf *out)
{
	const uint64_t number[PACK_NUMBERS] = {
		(uint64_t)item->root - usual->root,
		(uint64_t)item->head - usual->head,
		(uint64_t)item->retainer - usual->retainer,
		(uint64_t)item->type - usual->type,
		item->address - usual->address,
		item->length,
		item->capacity - item->length,
		item->waste,
		item->start,
		item->end - item->start - item->length,
		item->outside,
		item->told - item->capacity,
		item->bytes - usual->bytes,
		item->parts - usual->parts,
	};
	flags |= (uint64_t)item->kind | (item->has_length ? PACK_LENGTH : 0)
	         | (item->has_capacity ? PACK_CAPACITY : 0) | (item->has_waste ? PACK_WASTE : 0)
	         | (item->has_outside ? PACK_OUTSIDE : 0);
	for (size_t i = 0; i < PACK_NUMBERS; i++)
		flags |= number[i] ? (uint64_t)PACK_NUMBER << i : 0;
	buf_add_uvarint(out, flags);
	collection_pack_number(out, step);
	for (size_t i = 0; i < PACK_NUMBERS; i++)
		if (number[i])
			collection_pack_number(out, number[i]);
}

/* Returns how the windows of a collection are packed. */
static uint64_t collection_window_flags(const struct collection *item,
                                        const struct slice_window *window, size_t count)
{
	bool usual = count == 1 && window->start == item->start && window->end == item->end;
	return usual ? PACK_WINDOW : count ? PACK_WINDOWS : 0;
}

void collections_add(struct collections_search *search, const struct collection *item,
                     const struct slice_window *window, size_t windows)
{
	struct buf *out = &search->packed;
	struct collection usual = search->usual;
	if (!usual.parts || usual.object != item->object)
		usual = collection_usual(search->heap, item->object, 0);
	usual.type = search->last_type;
	uint64_t flags = collection_window_flags(item, window, windows);
	collection_pack(item, &usual, flags, (uint64_t)item->object - search->last, out);
	if (flags & PACK_WINDOWS)
		buf_add_uvarint(out, windows);
	for (size_t w = 0; flags & PACK_WINDOWS && w < windows; w++) {
		buf_add_uvarint(out, window[w].start);
		buf_add_uvarint(out, window[w].end);
	}
	search->last = item->object;
	search->last_type = item->type;
}

/* ---- Unpacking */

static uint64_t collection_unpack_number(struct cursor *c)
{
	uint64_t number = cursor_uvarint(c);
	return number >> 1 ^ -(number & 1);
}

/* Unpacks the flags, the object and the numbers that are not as usual. */
static void collection_unpack_begin(struct collection_unpacking *from,
                                    uint64_t number[PACK_NUMBERS])
{
	struct cursor *c = &from->packed;
	from->flags = cursor_uvarint(c);
	from->place.object += (uint32_t)collection_unpack_number(c);
	for (uint64_t left = from->flags / PACK_NUMBER; left; left &= left - 1)
		number[__builtin_ctzll(left)] = collection_unpack_number(c);
}

static void collection_unpack(uint64_t flags, const uint64_t number[PACK_NUMBERS],
                              struct collection *item)
{
	item->kind = flags & PACK_KIND;
	item->has_length = flags & PACK_LENGTH;
	item->has_capacity = flags & PACK_CAPACITY;
	item->has_waste = flags & PACK_WASTE;
	item->has_outside = flags & PACK_OUTSIDE;
	item->root += (uint32_t)number[0];
	item->head += (uint32_t)number[1];
	item->retainer += (uint32_t)number[2];
	item->type += (uint32_t)number[3];
	item->address += number[4];
	item->length = number[5];
	item->capacity = item->length + number[6];
	item->waste = number[7];
	item->start = number[8];
	item->end = item->start + item->length + number[9];
	item->outside = number[10];
	item->told = item->capacity + number[11];
	item->bytes += number[12];
	item->parts += number[13];
}

void collections_unpack_windows(struct collection_unpacking *from, size_t *capacity,
                                struct collections *found)
{
	struct cursor *c = &from->packed;
	uint64_t flags = from->flags;
	size_t item = found->count - 1;
	uint64_t count = flags & PACK_WINDOWS ? cursor_uvarint(c) : flags & PACK_WINDOW ? 1 : 0;
	for (; count > 0 && cursor_ok(c); count--) {
		struct slice_window window = {item, found->item[item].start, found->item[item].end};
		if (flags & PACK_WINDOWS) {
			window.start = cursor_uvarint(c);
			window.end = cursor_uvarint(c);
		}
		MEM_PUSH(found->window, found->windows, *capacity, window);
	}
}

void collections_skip_windows(struct collection_unpacking *from)
{
	struct cursor *c = &from->packed;
	uint64_t flags = from->flags;
	uint64_t count = flags & PACK_WINDOWS ? cursor_uvarint(c) : 0;
	for (; count > 0 && cursor_ok(c); count--) {
		cursor_uvarint(c);
		cursor_uvarint(c);
	}
}

struct collection_unpacking collections_unpack_at(const struct buf *packed, const struct heap *heap,
                                                  const struct collection_place *place)
{
	return (struct collection_unpacking){
		.packed =
			cursor_make((const uint8_t *)buf_text(packed) + place->at, packed->len - place->at, 0),
		.heap = heap,
		.place = *place,
	};
}

bool collections_unpack_next(struct collection_unpacking *from, struct collection *item)
{
	uint64_t number[PACK_NUMBERS] = {0};
	if (cursor_left(&from->packed) == 0)
		return false;
	collection_unpack_begin(from, number);
	*item = collection_usual(from->heap, from->place.object, from->place.type);
	collection_unpack(from->flags, number, item);
	from->place.type = item->type;
	return true;
}

bool collections_unpack_kind(struct collection_unpacking *from, enum collection_kind *kind)
{
	uint64_t number[PACK_NUMBERS] = {0};
	if (cursor_left(&from->packed) == 0)
		return false;
	collection_unpack_begin(from, number);
	*kind = from->flags & PACK_KIND;
	from->place.type += (uint32_t)number[3];
	return true;
}
