/* The cached collections, packed: what a collection usually is takes no space. Part of
   table/contents/collections.h. */
#include "collections.h"

#include "analysis/kept.h"
#include "base/cursor.h"
#include "base/mem.h"
#include "base/plugin.h"

#include <stdlib.h>

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
enum { POLL_EVERY = 4096 }; /* objects between two checks for cancellation */

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
	const struct collection usual = collection_usual(search->heap, item->object, search->last_type);
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

static void collection_unpack(struct cursor *c, uint64_t flags, struct collection *item)
{
	uint64_t number[PACK_NUMBERS] = {0};
	for (uint64_t left = flags / PACK_NUMBER; left; left &= left - 1)
		number[__builtin_ctzll(left)] = collection_unpack_number(c);
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

static void collections_unpack_windows(struct cursor *c, uint64_t flags, size_t *capacity,
                                       struct collections *found)
{
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

static void collections_skip_windows(struct cursor *c, uint64_t flags)
{
	uint64_t count = flags & PACK_WINDOWS ? cursor_uvarint(c) : 0;
	for (; count > 0 && cursor_ok(c); count--) {
		cursor_uvarint(c);
		cursor_uvarint(c);
	}
}

static void collections_unpack(const struct buf *packed, const struct heap *heap,
                               bool (*wants)(const struct collection *item), unsigned kinds,
                               struct collections *found)
{
	struct cursor c = cursor_make((const uint8_t *)buf_text(packed), packed->len, 0);
	size_t windows = 0;
	uint32_t object = 0;
	gotype_id type = 0;
	while (cursor_left(&c) > 0) {
		uint64_t flags = cursor_uvarint(&c);
		object += (uint32_t)collection_unpack_number(&c);
		struct collection item = collection_usual(heap, object, type);
		collection_unpack(&c, flags, &item);
		type = item.type;
		if (kinds >> item.kind & 1 && (!wants || wants(&item)))
			MEM_PUSH(found->item, found->count, found->capacity, item);
		if (kinds == COLLECTIONS_ALL && !wants)
			collections_unpack_windows(&c, flags, &windows, found);
		else
			collections_skip_windows(&c, flags);
	}
}

/* ---- The cached result: a buffer */

static void collections_kept_free(void *made)
{
	buf_free(made);
	free(made);
}

static size_t collections_of_size(const struct heap *heap)
{
	return (heap_object_count(heap) + 1ULL) * sizeof(uint32_t);
}

static uint8_t collections_mark(void *self, gotype_id type)
{
	return collections_is_header(self, type);
}

/* Looks for maps and channels, whose parts are no slices. */
static bool collections_look(struct collections_search *search, struct progress *progress)
{
	struct type_marks marks = {.mark = collections_mark, .self = search};
	uint32_t id, count = heap_object_count(search->heap);
	progress_begin(progress, "looking for maps and channels", count);
	for (id = 0; id < count && (id % POLL_EVERY || progress_step(progress, id)); id++) {
		gotype_id type = search->typing ? typing_type(search->typing, id) : 0;
		if ((type && !type_marks_of(&marks, type)) || !collections_is_free(search, id))
			continue;
		if (type)
			collections_look_at_header(search, id);
		else
			collections_look_at_label(search, id);
	}
	type_marks_fini(&marks);
	return id == count;
}

static struct buf *collections_search_end(struct collections_search *search, bool done)
{
	struct buf *packed = done ? mem_alloc(sizeof *packed) : NULL;
	if (search->slices)
		collection_slices_end(search->slices);
	if (packed)
		*packed = search->packed;
	else
		buf_free(&search->packed);
	mem_column_free(search->of, collections_of_size(search->heap));
	free(search->queue);
	free(search);
	return packed;
}

static void *collections_kept_begin(const struct analysis *analysis, struct progress *progress)
{
	struct collections_search *search = mem_alloc(sizeof *search);
	search->analysis = analysis;
	search->heap = search->reader.heap = analysis_heap(analysis);
	search->reach = analysis_reach(analysis);
	search->of = mem_column(collections_of_size(search->heap));
	if ((search->typing = analysis_typing(analysis))) {
		search->types = typing_types(search->typing);
		search->runtime = typing_runtime(search->typing);
		search->slices = collection_slices_new(search);
	}
	if (collections_look(search, progress))
		return search;
	collections_search_end(search, false);
	return NULL;
}

static bool collections_kept_wants(void *self, gotype_id type)
{
	return collection_slices_wants(((struct collections_search *)self)->slices, type);
}

static void collections_kept_see(void *self, struct walk_object *object)
{
	collection_slices_see(((struct collections_search *)self)->slices, object);
}

static void *collections_kept_end(void *self, bool seen, struct progress *progress)
{
	(void)progress;
	return collections_search_end(self, seen);
}

static bool collections_kept_index(void *made, const struct index_io *io)
{
	return index_io_buf(io, "packed", made);
}

static const struct kept_kind collections_kept = {
	.name = "collections",
	.needs = STAGE_TYPED | STAGE_REACHED,
	.walker = {collections_kept_begin, collections_kept_wants, collections_kept_see,
               collections_kept_end},
	.free = collections_kept_free,
	.size = sizeof(struct buf),
	.index = collections_kept_index,
};
PLUGIN(kept_kinds, collections_kept);

bool collections_find(struct collections *found, const struct analysis *analysis, unsigned kinds,
                      bool (*wants)(const struct collection *item), struct progress *progress)
{
	const struct buf *packed = analysis_kept(analysis, &collections_kept, RETAIN_ALIVE, progress);
	*found = (struct collections){0};
	if (packed)
		collections_unpack(packed, analysis_heap(analysis), wants, kinds, found);
	return packed;
}
