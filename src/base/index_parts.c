#include "base/index_parts.h"
#include "base/bound.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

void *index_array(struct index_file *file, const char *name, size_t each, size_t *count)
{
	uint64_t size;
	const void *data = index_get(file, name, &size);
	if (!data || size % each)
		return NULL;
	void *copy = mem_alloc(size);
	*count = size / each;
	return size ? memcpy(copy, data, size) : copy;
}

bool index_struct(struct index_file *file, const char *name, void *out, size_t size)
{
	uint64_t there;
	const void *data = index_get(file, name, &there);
	if (!data || there != size)
		return false;
	memcpy(out, data, size);
	return true;
}

void index_put_padded(struct index_writer *writer, const char *name, const void *data, size_t count,
                      size_t each, size_t from, size_t to)
{
	char *copy = mem_alloc(count * each);
	if (count)
		memcpy(copy, data, count * each);
	for (size_t i = 0; i < count; i++)
		memset(copy + i * each + from, 0, to - from);
	index_put_copy(writer, name, copy, count * each);
	free(copy);
}

/* Only the pairs are saved: places in the table differ in every process (base/hash.h). */
struct index_pair {
	uint64_t key, value;
};

void index_put_map(struct index_writer *writer, const char *name, const struct map *map)
{
	struct index_pair *pairs = mem_alloc(map->count * sizeof *pairs);
	size_t count = 0;
	if (map->has_zero)
		pairs[count++] = (struct index_pair){0, map->zero};
	for (size_t i = 0; map->bits && i < (size_t)1 << map->bits; i++)
		if (map->places[i].key)
			pairs[count++] = (struct index_pair){map->places[i].key, map->places[i].value};
	bound_sort(pairs, count, BOUND_BY(struct index_pair, key));
	index_put_copy(writer, name, pairs, count * sizeof *pairs);
	free(pairs);
}

bool index_map_into(struct index_file *file, const char *name, struct map *map)
{
	uint64_t size;
	const struct index_pair *pairs = index_get(file, name, &size);
	if (!pairs || size % sizeof *pairs)
		return false;
	map_reserve(map, size / sizeof *pairs);
	for (size_t i = 0; i < size / sizeof *pairs; i++)
		map_put(map, pairs[i].key, pairs[i].value);
	return true;
}
