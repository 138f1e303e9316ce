/* Where sync.Pools keep what was put into them: objects that only their pools lead to, and that a
   collection may empty. Found through the variables sync.allPools and sync.oldPools, which list
   all pools that hold anything (sync/pool.go). */
#ifndef ANALYSIS_SYNC_POOLS_H
#define ANALYSIS_SYNC_POOLS_H

#include "types/names.h"

struct sync_pools {
	uint32_t *object; /* ascending, each once */
	uint32_t count;
};

/* None without an executable, or before Go 1.13, whose pools are laid out in another way. */
struct sync_pools sync_pools_find(const struct heap *heap, const struct names *names);
void sync_pools_fini(struct sync_pools *pools);

#endif
