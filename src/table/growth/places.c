#include "table/growth/places.h"

#include "base/hash.h"
#include "base/map.h"
#include "base/mem.h"
#include "table/contents/collections.h"
#include "table/naming/step_class.h"

#include <stdlib.h>
#include <string.h>

/* ---- Counts */

static void places_count_heads(struct places *places)
{
	const struct merged_rows *data = places->rows->data;
	const struct reach *reach = analysis_reach(places->rows->analysis);
	const struct merged_paths *paths = data->merged_paths;
	uint32_t objects = heap_object_count(reach->heap);
	for (uint32_t id = 0; id < objects; id++) {
		uint32_t parent = reach_before(reach, id);
		uint32_t place = merged_paths_node(paths, id);
		if (place != OBJECT_NONE
		    && (parent >= objects || merged_paths_node(paths, parent) != place))
			places->place[place].heads++;
	}
}

static void places_count_things(struct places *places, const struct collections *found)
{
	const struct merged_rows *data = places->rows->data;
	const struct merged_paths *paths = data->merged_paths;
	for (size_t i = 0; i < found->count; i++) {
		const struct collection *item = &found->item[i];
		uint32_t object = item->head;
		uint32_t node = object < paths->objects ? merged_paths_node(paths, object) : OBJECT_NONE;
		if (!item->has_length || node == OBJECT_NONE)
			continue;
		struct place *place = &places->place[node];
		place->holds = true;
		place->count += item->length;
	}
	for (size_t row = 0; row < paths->count; row++)
		if (!places->place[row].holds)
			places->place[row].count = paths->node[row].members;
}

bool places_open(struct places *places, const struct analysis *analysis, struct progress *progress,
                 struct err *err)
{
	struct collections found;
	places->place = NULL;
	places->rows = rows_open_watched(table_find("where"), analysis, NULL, progress, err);
	if (!places->rows)
		return false;
	const struct merged_rows *data = places->rows->data;
	places->place = mem_alloc((data->merged_paths->count + 1) * sizeof *places->place);
	places_count_heads(places);
	bool done = collections_find(&found, analysis, COLLECTIONS_ALL, NULL, NULL, progress);
	if (done)
		places_count_things(places, &found);
	collections_fini(&found);
	return done || err_set(err, "The search for maps, channels and slices was cancelled");
}

void places_close(struct places *places)
{
	rows_close(places->rows);
	free(places->place);
}

/* ---- Matching places of two dumps */

enum { SAME_KEY = 1000 };

/* The identity of a place: its parent, the step from there, the type of its objects. Types and
   labels belong to one dump: keys that compare are made of names without indices and keys. */
struct place_key {
	uint32_t parent;
	const char *step, *type;
};

static struct place_key place_key_of(const struct merged_rows *data, size_t row)
{
	const struct merge_node *node = &data->merged_paths->node[row];
	return (struct place_key){
		node->parent,
		step_classes_step(data->step_classes, node->label),
		step_classes_type(data->step_classes, node->label),
	};
}

static uint64_t place_hash(const struct place_key *key)
{
	uint64_t hash = hash_mix(0, key->parent, hash_multiplier());
	hash = hash_bytes(hash, key->step, strlen(key->step) + 1);
	return hash_bytes(hash, key->type, strlen(key->type));
}

/* Returns the key without a type. The type at a place may change, if it is that of an interface or
   a guess; the step alone then identifies the place. */
static struct place_key place_untyped(const struct merged_rows *data, size_t row)
{
	struct place_key key = place_key_of(data, row);
	key.type = "";
	return key;
}

/* Returns the first place with a key that is not taken; UINT32_MAX: there is none. */
static uint32_t place_find(const struct map *by_key, const struct merged_rows *data,
                           struct place_key wanted, bool typed, const bool *taken)
{
	uint64_t hash = place_hash(&wanted), found;
	for (; map_get(by_key, hash, &found); hash++) {
		struct place_key key = typed ? place_key_of(data, found) : place_untyped(data, found);
		if (!taken[found] && key.parent == wanted.parent && strcmp(key.step, wanted.step) == 0
		    && strcmp(key.type, wanted.type) == 0)
			return (uint32_t)found;
	}
	return UINT32_MAX;
}

/* Adds a place by its key. Of very many with one key, only the first are added, which have most
   bytes. */
static void place_add(struct map *by_key, struct place_key key, size_t row)
{
	uint64_t hash = place_hash(&key), taken;
	size_t left = SAME_KEY;
	while (left && map_get(by_key, hash, &taken)) {
		hash++;
		left--;
	}
	if (left)
		map_put(by_key, hash, row);
}

static struct map places_by_key(const struct merged_rows *data, bool typed)
{
	struct map by_key = {0};
	for (size_t row = 0; row < data->merged_paths->count; row++)
		place_add(&by_key, typed ? place_key_of(data, row) : place_untyped(data, row), row);
	return by_key;
}

/* Matches the rows first ... first + count - 1, which have one parent, and are not matched yet. */
static void places_match(const struct merged_rows *newer, const struct merged_rows *older,
                         size_t first, size_t count, const struct map *by_key, bool typed,
                         uint32_t *found, bool *taken)
{
	for (size_t row = first; row < first + count; row++) {
		struct place_key key = typed ? place_key_of(newer, row) : place_untyped(newer, row);
		if (found[row] != UINT32_MAX)
			continue;
		if (key.parent != OBJECT_NONE)
			key.parent = found[key.parent];
		found[row] = place_find(by_key, older, key, typed, taken);
		if (found[row] != UINT32_MAX)
			taken[found[row]] = true;
	}
}

uint32_t *places_before(const struct rows *now, const struct rows *before)
{
	const struct merged_rows *newer = now->data, *older = before->data;
	const struct merged_paths *paths = newer->merged_paths;
	struct map typed = places_by_key(older, true), untyped = places_by_key(older, false);
	SCOPED_FREE bool *taken = mem_alloc(older->merged_paths->count + 1);
	uint32_t *found = mem_alloc((paths->count + 1) * sizeof *found);
	memset(found, 0xff, (paths->count + 1) * sizeof *found);
	for (size_t row = 0; row <= paths->count; row++) { /* parents come before their children */
		size_t parent = row - 1;
		size_t first = row ? paths->node[parent].first : 0;
		size_t count = row ? paths->node[parent].below : paths->topmost;
		if (row && found[parent] == UINT32_MAX)
			continue;
		places_match(newer, older, first, count, &typed, true, found, taken);
		places_match(newer, older, first, count, &untyped, false, found, taken);
	}
	map_free(&typed);
	map_free(&untyped);
	return found;
}
