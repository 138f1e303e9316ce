/* sync.Pool: where pools keep what was put into them (sync/pool.go): objects that only their pools
   lead to, and that a collection may empty. Found through the variables sync.allPools and
   sync.oldPools, which list all pools that hold anything. */
#ifndef GORUNTIME_SYNC_POOLS_H
#define GORUNTIME_SYNC_POOLS_H

#include "exe/image.h"
#include "goruntime/runtime_variables.h"

struct sync_pools {
	uint32_t *object; /* ascending, each once */
	uint64_t *pool;   /* by object: the address of its sync.Pool */
	uint32_t count;
};

/* `image` is the executable, or NULL; data_bias what addresses of variables in the dump are above
   its own. Where it has no symbols, the lists are what `variables` has found. None before Go 1.13,
   whose pools are laid out in another way. */
struct sync_pools sync_pools_find(const struct heap *heap, const struct image *image,
                                  uint64_t data_bias, const struct runtime_variables *variables);
void sync_pools_fini(struct sync_pools *pools);

#endif
