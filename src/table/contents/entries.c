#include "table/contents/entries.h"

#include <string.h>

static bool open_buckets(struct entries *entries, const struct datum *place)
{
	if (!gomap_slots(typing_runtime(entries->in->typing), place->type, &entries->slots))
		return false;
	entries->kind = ENTRIES_BUCKETS;
	entries->key = entries->slots.key;
	entries->value = entries->slots.value;
	return true;
}

static bool open_sync(struct entries *entries, const struct datum *place)
{
	const char *name = gotype_get(typing_types(entries->in->typing), place->type)->name;
	if (gosync_role(name) == GOSYNC_NONE || place->count != 1
	    || !gosync_read(typing_runtime(entries->in->typing), place->type, place->data, place->room,
	                    entries->budget, &entries->sync))
		return false;
	entries->kind = ENTRIES_SYNC;
	entries->key = entries->sync.key;
	entries->value = entries->sync.value;
	return true;
}

bool entries_open(struct entries *entries, const struct govalue *in, const struct datum *place)
{
	*entries = (struct entries){
		.in = in,
		.place = *place,
		.budget = heap_object_count(in->heap),
	};
	if (!in->typing || !place->type || !place->data)
		return false;
	if (open_sync(entries, place) || open_buckets(entries, place))
		return true;
	entries_close(entries);
	if (place->count != 1
	    || !gomap_start(typing_runtime(in->typing), place->type, place->data, place->room,
	                    &entries->map))
		return false;
	entries->kind = ENTRIES_MAP;
	entries->key = entries->map.slots.key;
	entries->value = entries->map.slots.value;
	return true;
}

/* Advances to the next bucket of an array, or after a single bucket to the next of its chain. */
static bool entries_next_bucket(struct entries *entries)
{
	struct datum *place = &entries->place;
	uint64_t size = entries->slots.size;
	entries->next = 0;
	if (entries->budget == 0)
		return false;
	entries->budget--;
	if (place->count > 1) {
		place->count--;
		place->address += size;
		place->data += size < place->room ? size : place->room;
		place->room -= size < place->room ? size : place->room;
		return true;
	}
	if (entries->slots.overflow == UINT64_MAX || place->room < size)
		return false;
	uint64_t next = heap_word(entries->in->heap, place->data + entries->slots.overflow);
	*place = datum_at(entries->in, next, place->type, 1);
	return place->data != NULL;
}

/* Returns true if the slot is empty now, whatever bytes it still holds. */
static bool entries_is_empty(const struct entries *entries, uint64_t slot)
{
	return gomap_slot_use(typing_runtime(entries->in->typing), &entries->slots, entries->place.data,
	                      (unsigned)slot, false)
	       == GOMAP_EMPTY;
}

static bool next_slot(struct entries *entries, struct gomap_entry *entry)
{
	for (;;) {
		if (entries->next == GOMAP_SLOTS || entries->place.room < entries->slots.size) {
			if (!entries_next_bucket(entries))
				return false;
		} else if (entries_is_empty(entries, entries->next)) {
			entries->next++;
		} else {
			break;
		}
	}
	gomap_entry_get(typing_runtime(entries->in->typing), &entries->slots, entries->place.data,
	                entries->place.address, (unsigned)entries->next++, entry);
	return true;
}

bool entries_next(struct entries *entries, struct gomap_entry *entry)
{
	if (entries->kind == ENTRIES_MAP)
		return gomap_next(&entries->map, entry);
	if (entries->kind == ENTRIES_BUCKETS)
		return next_slot(entries, entry);
	if (entries->next >= entries->sync.count)
		return false;
	*entry =
		gosync_get(typing_runtime(entries->in->typing), &entries->sync, (size_t)entries->next++);
	return true;
}

void entries_close(struct entries *entries)
{
	gosync_free(&entries->sync);
}

bool entries_add_key(const struct govalue *in, gotype_id type, const struct gomap_part *key,
                     struct buf *out)
{
	return govalue_add_key(in, type, key->data, key->size, out);
}

/* Returns how many bytes of the text match a formatted key, with or without its quotes; 0: none. */
static size_t match_key(const char *text, const struct buf *key)
{
	size_t bare = key->len - 4;
	if (strncmp(text, key->data, key->len) == 0)
		return key->len;
	bool quoted = key->len >= 4 && key->data[1] == '"';
	bool same = quoted && text[0] == '[' && strncmp(text + 1, key->data + 2, bare) == 0;
	return same && text[1 + bare] == ']' ? bare + 2 : 0;
}

void entries_search(struct entries *entries, const char *text, struct entries_match *match)
{
	struct gomap_entry entry;
	struct buf key = {0};
	*match = (struct entries_match){0};
	while (entries_next(entries, &entry)) {
		buf_clear(&key);
		entries_add_key(entries->in, entries->key, &entry.key, &key);
		size_t length = match_key(text, &key);
		if (length && length == match->length)
			match->equal++;
		if (length > match->length)
			*match = (struct entries_match){length, 1, entry};
	}
	buf_free(&key);
}
