/* A hash map from 64-bit keys to 64-bit values, for things that are few beside the objects. */
#ifndef BASE_MAP_H
#define BASE_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* `struct map m = {0}` is an empty one. */
struct map {
	struct map_place {
		uint64_t key, value; /* key 0: the place is free */
	} * places;
	size_t count;
	unsigned bits; /* there are 1 << bits places, at most half of them used; 0: none yet */
	bool has_zero; /* the key 0, whose value this is */
	uint64_t zero;
};

void map_put(struct map *map, uint64_t key, uint64_t value); /* replaces what is there */
bool map_get(const struct map *map, uint64_t key, uint64_t *value);
/* Room for as many without another move of those that are there. */
void map_reserve(struct map *map, size_t count);
void map_free(struct map *map);

#endif
