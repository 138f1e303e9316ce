/* Bytes allocated by the reader, such as field lists of frames: they do not move until all are
   freed. */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct core_store { /* start with {0} */
	uint8_t **chunk;
	size_t chunks, capacity, used, room;
};

/* Stores a copy and returns it. */
const uint8_t *core_store_add(struct core_store *store, const void *bytes, size_t size);
void core_store_fini(struct core_store *store);
