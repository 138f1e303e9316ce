/* Finds maps, channels and sync.Maps with their parts: the objects behind a header that no program
   names. */
#include "table/contents/collections.h"

#include "base/mem.h"
#include "go/runtime/gochan.h"
#include "go/runtime/gomap.h"
#include "go/runtime/gosync.h"
#include "heap/heap.h"

static const struct gotype *collection_type(const struct collections_search *search, gotype_id type)
{
	return gotype_get(search->types, type);
}

/* ---- Traversal */

enum {
	/* Types of targets are anywhere in memory: they are prefetched this many references ahead. */
	TYPES_AHEAD = 16,
	TYPES_MET = 8 /* a power of two: recent types of targets */
};

/* Returns true if a type is that of a part of the item, whose header has another type. */
static bool collection_is_part(const struct collections_search *search,
                               const struct collection *item, gotype_id type)
{
	if (item->kind == COLLECTION_MAP)
		return gomap_is_part(search->runtime, item->type, type);
	return gosync_is_part(search->runtime, type);
}

static void collection_enqueue(struct collections_search *search, struct collection *item,
                               uint32_t object)
{
	collections_add_part(search, item, object);
	MEM_PUSH(search->queue, search->queued, search->queue_capacity, object);
}

/* Adds to the capacity of a map the slots of a bucket or group; does nothing for other objects. */
static void collection_count_slots(const struct collections_search *search, struct collection *item,
                                   uint32_t object)
{
	struct gomap_slots slots;
	struct typed typed = typing_object(search->typing, object);
	if (item->kind == COLLECTION_MAP && gomap_slots(search->runtime, typed.type, &slots))
		item->capacity += (uint64_t)typed.count * GOMAP_SLOTS;
}

/* Adds all parts that are reachable from those in the queue. */
static void collection_walk(struct collections_search *search, struct collection *item)
{
	struct {
		gotype_id type;
		bool part;
	} met[TYPES_MET] = {0}, *known;
	while (search->queued > 0) {
		uint32_t object = search->queue[--search->queued];
		struct ids to = heap_references(search->heap, object);
		size_t ahead = 0;
		collection_count_slots(search, item, object);
		for (size_t i = 0; i < to.count; i++) {
			for (; ahead < to.count && ahead < i + TYPES_AHEAD; ahead++)
				typing_ahead(search->typing, to.id[ahead]);
			gotype_id type = typing_type(search->typing, to.id[i]);
			known = &met[type % TYPES_MET];
			if (known->type != type) {
				known->type = type;
				known->part = collection_is_part(search, item, type);
			}
			if (known->part && collections_is_free(search, to.id[i]))
				collection_enqueue(search, item, to.id[i]);
		}
	}
}

/* ---- Maps */

static bool collection_add_map(struct collections_search *search, uint32_t object,
                               const struct object_record *record, gotype_id type)
{
	struct gomap map;
	const uint8_t *data = record->data + record->header;
	if (!gomap_start(search->runtime, type, data, record->stored - record->header, &map))
		return false;
	struct collection item = collections_begin(search, COLLECTION_MAP, object, type);
	item.length = map.length;
	item.has_capacity = true;
	collection_enqueue(search, &item, object);
	collection_walk(search, &item);
	item.has_length = item.has_waste = item.length <= item.capacity;
	if (item.has_waste)
		item.waste = (item.capacity - item.length) * (map.slots.size / GOMAP_SLOTS);
	collections_add(search, &item, NULL, 0);
	return true;
}

/* ---- Channels */

static bool collection_add_chan(struct collections_search *search, uint32_t object,
                                const struct object_record *record, gotype_id type)
{
	struct gochan chan;
	const uint8_t *data = record->data + record->header;
	if (!gochan_read(search->runtime, type, data, record->stored - record->header, &chan))
		return false;
	struct collection item = collections_begin(search, COLLECTION_CHAN, object, type);
	item.length = chan.length;
	item.capacity = chan.room;
	item.has_length = item.has_capacity = chan.buffer || !chan.room || !chan.elem_size;
	collections_add_part(search, &item, object);
	uint32_t buffer = chan.buffer ? heap_find(search->heap, chan.address) : OBJECT_NONE;
	if (buffer != OBJECT_NONE && collections_is_free(search, buffer))
		collections_add_part(search, &item, buffer);
	item.has_waste = item.has_length;
	if (item.has_waste)
		item.waste = (item.capacity - item.length) * chan.elem_size;
	collections_add(search, &item, NULL, 0);
	return true;
}

bool collections_is_header(const struct collections_search *search, gotype_id type)
{
	gotype_id container = goruntime_container(search->runtime, type);
	enum gokind kind = collection_type(search, container)->kind;
	return container && collection_type(search, container)->header == type
	       && (kind == GO_MAP || kind == GO_CHAN) && !gosync_is_part(search->runtime, type);
}

void collections_look_at_header(struct collections_search *search, uint32_t object)
{
	struct object_record record;
	struct typed typed = typing_object(search->typing, object);
	gotype_id container = goruntime_container(search->runtime, typed.type);
	if (typed.count != 1 || !object_reader_read(&search->reader, object, &record)
	    || record.stored < record.header)
		return;
	if (collection_type(search, container)->kind == GO_MAP)
		collection_add_map(search, object, &record, typed.type);
	else
		collection_add_chan(search, object, &record, typed.type);
}

/* ---- sync.Map */

/* The parts of a sync.Map are reachable from its words. Its retainer is the only object that these
   reference; there is none if they reference several. */
bool collections_fill_sync(struct collections_search *search, struct collection *item,
                           const uint8_t *data, uint64_t room)
{
	struct gosync map;
	uint64_t size = collection_type(search, item->type)->size;
	unsigned width = search->heap->params.layout.pointer_size, heads = 0;
	if (size > room
	    || !gosync_read(search->runtime, item->type, data, size, heap_object_count(search->heap),
	                    &map))
		return false;
	item->kind = COLLECTION_SYNC;
	item->has_length = !map.more;
	item->length = map.count;
	gosync_free(&map);
	for (uint64_t at = 0; at + width <= size; at += width) {
		uint32_t to = heap_find(search->heap, heap_word(search->heap, data + at));
		gotype_id type = to == OBJECT_NONE ? 0 : typing_type(search->typing, to);
		if (!type || !collections_is_free(search, to) || !collection_is_part(search, item, type))
			continue;
		bool is_map = strncmp(collection_type(search, type)->name, "map[", 4) == 0;
		item->head = heads && !is_map ? item->head : to;
		item->retainer = heads++ ? OBJECT_NONE : to;
		collection_enqueue(search, item, to);
	}
	collection_walk(search, item);
	return heads;
}

/* ---- Without types */

/* Reads length and capacity from a header without type. Maps and channels begin with the length;
   the next word of a channel is its capacity. */
static void collection_read_untyped(const struct collections_search *search,
                                    struct collection *item, bool wide)
{
	struct object_record record;
	unsigned width = search->heap->params.layout.pointer_size, first = wide ? 8 : width;
	bool chan = item->kind == COLLECTION_CHAN;
	if (!heap_object(search->heap, item->object, &record) || record.stored < record.header
	    || record.stored - record.header < first + (chan ? width : 0))
		return;
	item->length = gomemory_number(search->heap, record.data + record.header, first);
	item->has_length = true;
	if (chan) {
		item->capacity = heap_word(search->heap, record.data + record.header + width);
		item->has_capacity = true;
	}
}

void collections_look_at_label(struct collections_search *search, uint32_t object)
{
	static const enum collection_kind kinds[] = {
		[LABEL_IS_MAP] = COLLECTION_MAP,
		[LABEL_IS_CHANNEL] = COLLECTION_CHAN,
		[LABEL_IS_SLICE] = COLLECTION_SLICE,
	};
	const struct labels *labels = analysis_labels(search->analysis);
	uint32_t label = labels ? labels_of(labels, object) : 0;
	enum label_is is = label ? labels_is(labels, label) : LABEL_IS_OTHER;
	bool groups = false;
	if (is == LABEL_IS_OTHER || is == LABEL_IS_PART || is == LABEL_IS_GROUPS)
		return;
	struct collection item = collections_begin(search, kinds[is], object, 0);
	collections_add_part(search, &item, object);
	search->queue = mem_grow(search->queue, 0, &search->queue_capacity, sizeof *search->queue);
	search->queue[search->queued++] = object;
	while (search->queued > 0 && is != LABEL_IS_SLICE) {
		struct ids to = heap_references(search->heap, search->queue[--search->queued]);
		for (size_t i = 0; i < to.count; i++) {
			enum label_is part = labels_is(labels, labels_of(labels, to.id[i]));
			groups |= part == LABEL_IS_GROUPS;
			if ((part == LABEL_IS_PART || part == LABEL_IS_GROUPS)
			    && collections_is_free(search, to.id[i]))
				collection_enqueue(search, &item, to.id[i]);
		}
	}
	search->queued = 0;
	if (is != LABEL_IS_SLICE)
		collection_read_untyped(search, &item, groups);
	collections_add(search, &item, NULL, 0);
}
