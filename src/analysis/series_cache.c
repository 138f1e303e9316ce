#include "series_cache.h"

#include "base/mem.h"
#include "format/record.h"
#include "heap/object_ids.h"
#include "heap/root.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct series_cache {
	pthread_mutex_t lock;
	struct series_column {
		const void *of; /* the heap or the reach of the dump that it describes */
		void *data;
		size_t size;
	} * column;
	size_t count, capacity;
};

struct series_cache *series_cache_new(void)
{
	struct series_cache *cache = mem_alloc(sizeof *cache);
	pthread_mutex_init(&cache->lock, NULL);
	return cache;
}

void series_cache_free(struct series_cache *cache)
{
	if (!cache)
		return;
	for (size_t i = 0; i < cache->count; i++)
		mem_column_free(cache->column[i].data, cache->column[i].size);
	pthread_mutex_destroy(&cache->lock);
	free(cache->column);
	free(cache);
}

static const void *series_cache_get(struct series_cache *cache, const void *of,
                                    const struct heap *newer,
                                    struct series_column (*make)(const void *of,
                                                                 const struct heap *newer))
{
	const void *data = NULL;
	pthread_mutex_lock(&cache->lock);
	for (size_t i = 0; i < cache->count && !data; i++)
		if (cache->column[i].of == of)
			data = cache->column[i].data;
	if (!data) {
		struct series_column made = make(of, newer);
		MEM_PUSH(cache->column, cache->count, cache->capacity, made);
		data = made.data;
	}
	pthread_mutex_unlock(&cache->lock);
	return data;
}

/* ---- Places */

static bool same_words(const struct object_record *a, const struct object_record *b)
{
	struct fields x = a->fields, y = b->fields;
	uint64_t left, right;
	for (;;) {
		bool more = fields_next(&x, &left), too = fields_next(&y, &right);
		if (more != too || (more && left != right))
			return false;
		if (!more)
			return true;
	}
}

/* Compares shapes. A header contains the type. */
static bool same_shape(const struct object_record *a, const struct object_record *b)
{
	if (a->slot != b->slot || a->size != b->size || a->header != b->header)
		return false;
	if (a->header && a->stored >= a->header && b->stored >= b->header
	    && memcmp(a->data, b->data, a->header) != 0)
		return false;
	return same_words(a, b);
}

static bool same_contents(const struct object_record *a, const struct object_record *b)
{
	if (a->stored != b->stored || memcmp(a->data, b->data, a->stored) != 0)
		return false;
	for (uint64_t i = a->header; i < a->stored; i++)
		if (a->data[i])
			return true;
	return false;
}

/* Compares all objects. Both dumps have them by address, so each record is read once, in order. */
static struct series_column series_places_make(const void *of, const struct heap *newer)
{
	const struct heap *older = of;
	uint32_t objects = heap_object_count(newer);
	struct object_reader old_reader = {.heap = older}, reader = {.heap = newer};
	struct object_record a, b;
	struct series_column made = {of, NULL, objects + (size_t)1};
	uint8_t *flags = made.data = mem_column(made.size);
	for (uint32_t id = 0; id < objects; id++) {
		uint32_t before = heap_find(older, heap_address(newer, id));
		if (before != OBJECT_NONE && object_reader_read(&old_reader, before, &a)
		    && object_reader_read(&reader, id, &b) && same_shape(&a, &b))
			flags[id] = same_contents(&a, &b) ? PLACE_SHAPE | PLACE_CONTENTS : PLACE_SHAPE;
	}
	return made;
}

const uint8_t *series_places_get(struct series_cache *cache, const struct heap *older,
                                 const struct heap *newer)
{
	return series_cache_get(cache, older, newer, series_places_make);
}

/* ---- Roots */

static struct series_column series_roots_make(const void *of, const struct heap *newer)
{
	const struct reach *reach = of;
	uint32_t objects = heap_object_count(newer);
	struct series_column made = {of, NULL, (objects + (size_t)1) * sizeof(uint32_t)};
	uint32_t *root = made.data = mem_column(made.size); /* 0: not found yet */
	for (uint32_t id = 0; id < objects; id++) {
		uint32_t at = id, found = 1;
		while (at < objects && !root[at])
			at = reach_before(reach, at);
		if (at < objects)
			found = root[at];
		else if (at != OBJECT_NONE)
			found = at - objects + 2;
		for (at = id; at < objects && !root[at]; at = reach_before(reach, at))
			root[at] = found;
	}
	return made;
}

const uint32_t *series_roots_get(struct series_cache *cache, const struct reach *reach)
{
	return series_cache_get(cache, reach, reach->heap, series_roots_make);
}

const struct root *series_root_of(struct series_cache *cache, const struct reach *reach,
                                  uint32_t object)
{
	uint32_t root = series_roots_get(cache, reach)[object];
	return root > 1 ? heap_root(reach->heap, root - 2) : NULL;
}
