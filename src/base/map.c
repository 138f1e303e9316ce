#include "base/map.h"

#include "base/hash.h"
#include "base/mem.h"

#include <stdlib.h>

enum { FIRST_BITS = 4 };

static size_t map_size_of(const struct map *map)
{
	return map->bits ? (size_t)1 << map->bits : 0;
}

static struct map_place *map_find(const struct map *map, uint64_t key)
{
	size_t at = (size_t)hash_place(key, hash_multiplier(), map->bits);
	while (map->places[at].key && map->places[at].key != key)
		at = (at + 1) & (map_size_of(map) - 1);
	return &map->places[at];
}

static void map_enlarge(struct map *map, unsigned bits)
{
	struct map old = *map;
	map->bits = bits;
	map->places = mem_alloc(map_size_of(map) * sizeof *map->places);
	for (size_t i = 0; i < map_size_of(&old); i++)
		if (old.places[i].key)
			*map_find(map, old.places[i].key) = old.places[i];
	free(old.places);
}

void map_reserve(struct map *map, size_t count)
{
	unsigned bits = map->bits ? map->bits : FIRST_BITS;
	while (((size_t)1 << bits) / 2 < count)
		bits++;
	if (bits > map->bits)
		map_enlarge(map, bits);
}

void map_put(struct map *map, uint64_t key, uint64_t value)
{
	if (!key) {
		map->count += !map->has_zero;
		map->has_zero = true;
		map->zero = value;
		return;
	}
	if (map->count * 2 >= map_size_of(map))
		map_enlarge(map, map->bits ? map->bits + 1 : FIRST_BITS);
	struct map_place *place = map_find(map, key);
	map->count += !place->key;
	*place = (struct map_place){key, value};
}

bool map_get(const struct map *map, uint64_t key, uint64_t *value)
{
	if (!key && map->has_zero)
		*value = map->zero;
	if (!key || map->bits == 0)
		return !key && map->has_zero;
	const struct map_place *place = map_find(map, key);
	if (place->key)
		*value = place->value;
	return place->key != 0;
}

bool map_add(struct map *map, uint64_t key, uint64_t *value)
{
	if (!key && map_get(map, key, value))
		return false;
	if (!key) {
		map_put(map, key, *value);
		return true;
	}
	if (map->count * 2 >= map_size_of(map))
		map_enlarge(map, map->bits ? map->bits + 1 : FIRST_BITS);
	struct map_place *place = map_find(map, key);
	if (place->key) {
		*value = place->value;
		return false;
	}
	map->count++;
	*place = (struct map_place){key, *value};
	return true;
}

void map_free(struct map *map)
{
	free(map->places);
	*map = (struct map){0};
}
