/* Contents of sync.Pool (sync/pool.go): objects reachable only through pools, which a collection
   may free. Found through sync.allPools and sync.oldPools, which list all pools with content. */
#pragma once

#include "go/exe/image.h"
#include "go/runtime/runtime_variables.h"

struct sync_pools {
	uint32_t *object; /* ascending, unique */
	uint64_t *pool;   /* per object: the address of its sync.Pool */
	uint32_t count;
};

/* `image` is the executable, or NULL; data_bias is the load bias of its variables. Without symbols
   the lists in `variables` are used. Returns nothing before Go 1.13, where pools have another
   layout. */
struct sync_pools sync_pools_find(const struct heap *heap, const struct image *image,
                                  uint64_t data_bias, const struct runtime_variables *variables);
void sync_pools_fini(struct sync_pools *pools);
