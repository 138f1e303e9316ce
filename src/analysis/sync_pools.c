#include "analysis/sync_pools.h"

#include "base/mem.h"

#include <stdlib.h>

enum { POOLS = 1 << 16 }; /* more than any program has */

struct finding {
	const struct heap *heap;
	unsigned width; /* of a word */
	struct sync_pools pools;
	size_t capacity;
};

/* A word of data, bss or an object. */
static bool sync_pools_word_at(const struct finding *f, uint64_t address, uint64_t *word)
{
	struct object_record record;
	for (uint32_t i = 0; i < f->heap->segment_count; i++) {
		const struct segment_record *s = &f->heap->segments[i];
		if (s->size >= f->width && address - s->address <= s->size - f->width) {
			*word = heap_word(f->heap, s->data + (address - s->address));
			return true;
		}
	}
	uint32_t id = heap_find(f->heap, address);
	if (id == OBJECT_NONE || !heap_object(f->heap, id, &record) || record.stored < f->width
	    || address - record.slot > record.stored - f->width)
		return false;
	*word = heap_word(f->heap, record.data + (address - record.slot));
	return true;
}

static void sync_pools_add_object(struct finding *f, uint64_t address)
{
	uint64_t word;
	uint32_t id = sync_pools_word_at(f, address, &word) ? heap_find(f->heap, word) : OBJECT_NONE;
	if (id == OBJECT_NONE)
		return;
	struct sync_pools *pools = &f->pools;
	pools->object = mem_grow(pools->object, pools->count, &f->capacity, sizeof *pools->object);
	pools->object[pools->count++] = id;
}

/* type Pool struct { local unsafe.Pointer; localSize uintptr; victim unsafe.Pointer; ... } */
static void add_pool(struct finding *f, uint64_t pool)
{
	sync_pools_add_object(f, pool);
	sync_pools_add_object(f, pool + 2 * f->width);
}

/* A []*Pool. */
static void sync_pools_add_list(struct finding *f, uint64_t list)
{
	uint64_t data, length, pool;
	if (!sync_pools_word_at(f, list, &data) || !sync_pools_word_at(f, list + f->width, &length))
		return;
	for (uint64_t i = 0;
	     i < length && i < POOLS && sync_pools_word_at(f, data + i * f->width, &pool); i++)
		add_pool(f, pool);
}

static int sync_pools_ascending(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	return x < y ? -1 : x > y;
}

static uint32_t unique(uint32_t *items, uint32_t count)
{
	uint32_t kept = 0;
	for (uint32_t i = 0; i < count; i++)
		if (!kept || items[kept - 1] != items[i])
			items[kept++] = items[i];
	return kept;
}

struct sync_pools sync_pools_find(const struct heap *heap, const struct names *names)
{
	static const char *const lists[] = {"sync.allPools", "sync.oldPools"};
	struct finding f = {.heap = heap, .width = heap->params.layout.pointer_size};
	uint64_t address[2], size;
	for (size_t i = 0; i < 2; i++)
		if (!names_place(names, lists[i], &address[i], &size))
			return f.pools;
	for (size_t i = 0; i < 2; i++)
		sync_pools_add_list(&f, address[i]);
	if (f.pools.count)
		qsort(f.pools.object, f.pools.count, sizeof *f.pools.object, sync_pools_ascending);
	f.pools.count = unique(f.pools.object, f.pools.count);
	return f.pools;
}

void sync_pools_fini(struct sync_pools *pools)
{
	free(pools->object);
	*pools = (struct sync_pools){0};
}
