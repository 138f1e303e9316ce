#include "table/contents/entries.h"

#include <string.h>

bool entries_open(struct entries *entries, const struct govalue *in, const struct datum *place)
{
	*entries = (struct entries){.in = in};
	if (!in->typing || !place->type || !place->data)
		return false;
	const struct goruntime *rt = typing_runtime(in->typing);
	struct gosync *sync = &entries->sync;
	struct gomap *map = &entries->map;
	if (place->count == 1
	    && gosync_read(rt, place->type, place->data, place->room, heap_object_count(in->heap),
	                   sync)) {
		entries->key = sync->key;
		entries->value = sync->value;
		return true;
	}
	entries_close(entries);
	entries->is_map =
		gomap_start_slots(rt, place->type, place->count, place->address, place->data, place->room,
	                      map)
		|| (place->count == 1 && gomap_start(rt, place->type, place->data, place->room, map));
	entries->key = map->slots.key;
	entries->value = map->slots.value;
	return entries->is_map;
}

bool entries_next(struct entries *entries, struct gomap_entry *entry)
{
	if (entries->is_map)
		return gomap_next(&entries->map, entry);
	if (entries->next >= entries->sync.count)
		return false;
	*entry = gosync_get(typing_runtime(entries->in->typing), &entries->sync, entries->next++);
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
	SCOPED_BUF key = {0};
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
}
