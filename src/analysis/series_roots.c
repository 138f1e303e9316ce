#include "series_roots.h"

#include "base/mem.h"

#include <pthread.h>
#include <stdlib.h>

/* Roots of one dump by object. */
struct dump_roots {
	const struct reach *reach;
	uint32_t *root;
};
struct series_roots {
	pthread_mutex_t lock;
	struct dump_roots *dump;
	size_t count, capacity;
};

struct series_roots *series_roots_new(void)
{
	struct series_roots *roots = mem_alloc(sizeof *roots);
	pthread_mutex_init(&roots->lock, NULL);
	return roots;
}

static size_t series_roots_size(const struct reach *reach)
{
	return (heap_object_count(reach->heap) + (size_t)1) * sizeof(uint32_t);
}

void series_roots_free(struct series_roots *roots)
{
	if (!roots)
		return;
	for (size_t i = 0; i < roots->count; i++)
		mem_column_free(roots->dump[i].root, series_roots_size(roots->dump[i].reach));
	pthread_mutex_destroy(&roots->lock);
	free(roots->dump);
	free(roots);
}

/* Returns root number + 2 by object; 0: not found yet, 1: none. */
static uint32_t *series_roots_find(const struct reach *reach)
{
	uint32_t objects = heap_object_count(reach->heap);
	uint32_t *root = mem_column(series_roots_size(reach));
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
	return root;
}

static const uint32_t *series_roots_of_all(struct series_roots *roots, const struct reach *reach)
{
	const uint32_t *root = NULL;
	pthread_mutex_lock(&roots->lock);
	for (size_t i = 0; i < roots->count && !root; i++)
		if (roots->dump[i].reach == reach)
			root = roots->dump[i].root;
	if (!root) {
		roots->dump = mem_grow(roots->dump, roots->count, &roots->capacity, sizeof *roots->dump);
		struct dump_roots made = {reach, series_roots_find(reach)};
		roots->dump[roots->count++] = made;
		root = made.root;
	}
	pthread_mutex_unlock(&roots->lock);
	return root;
}

const struct root *series_root_of(struct series_roots *roots, const struct reach *reach,
                                  uint32_t object)
{
	uint32_t root = series_roots_of_all(roots, reach)[object];
	return root > 1 ? &reach->heap->roots[root - 2] : NULL;
}

void series_roots_get(struct series_roots *roots, const struct reach *reach)
{
	series_roots_of_all(roots, reach);
}
