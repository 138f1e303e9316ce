#include "core_store.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

enum { CHUNK = 1 << 16 };

const uint8_t *core_store_add(struct core_store *store, const void *bytes, size_t size)
{
	if (size > store->room - store->used || !store->chunks) {
		store->room = size > CHUNK ? size : CHUNK;
		store->used = 0;
		MEM_PUSH(store->chunk, store->chunks, store->capacity, mem_alloc(store->room));
	}
	uint8_t *place = store->chunk[store->chunks - 1] + store->used;
	if (size)
		memcpy(place, bytes, size);
	store->used += size;
	return place;
}

void core_store_fini(struct core_store *store)
{
	for (size_t i = 0; i < store->chunks; i++)
		free(store->chunk[i]);
	free(store->chunk);
}
