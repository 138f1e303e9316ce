/* An open-addressing hash map from 64-bit keys to 64-bit values, for sets that are small compared
   to the objects. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* `struct map m = {0}` is an empty one. */
struct map {
	struct map_place {
		uint64_t key, value; /* key 0 marks a free place */
	} * places;
	size_t count;
	unsigned bits; /* the table has 1 << bits places, at most half of them used; 0: not allocated */
	bool has_zero; /* the map has the key 0; its value is `zero` */
	uint64_t zero;
};

void map_put(struct map *map, uint64_t key, uint64_t value); /* replaces an existing value */
bool map_get(const struct map *map, uint64_t key, uint64_t *value);
/* Adds a key with *value, unless the map has the key. Returns true if it was added; else *value
   becomes its value. */
bool map_add(struct map *map, uint64_t key, uint64_t *value);
/* Makes room for `count` keys, so that adding them does not resize the table. */
void map_reserve(struct map *map, size_t count);
void map_free(struct map *map);
/* Declares a local map that is freed where its block ends: SCOPED_MAP numbers = {0}; */
#define SCOPED_MAP __attribute__((cleanup(map_free))) struct map
