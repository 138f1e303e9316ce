/* Memory that the runtime has from the operating system beside the heap: its lists name all of it
   but small parts, so that the rest of a mapping is the program's, with which the kernel has joined
   it. */
#pragma once

#include "core_runtime.h"

struct core_blocks {
	struct core_run *run;          /* sorted, without overlaps */
	size_t count, capacity, limit; /* at which they are put in order meanwhile */
	uint64_t other_least; /* smaller parts between them are the runtime's: no list names them */
	bool known; /* the runtime's list was found: what is far from all of these is not its */
};

/* core_blocks_fini frees them. */
void core_blocks_init(struct core_blocks *blocks, const struct core_runtime *rt);
void core_blocks_fini(struct core_blocks *blocks);

/* Returns true if some block begins or ends between two addresses, or has all between them. */
bool core_blocks_touch(const struct core_blocks *blocks, uint64_t start, uint64_t end);

/* Returns where a part that begins at an address ends, at most `end`: one of the runtime's blocks
   with small gaps, or what is large and has none of them (*own false). */
uint64_t core_blocks_part(const struct core_blocks *blocks, uint64_t start, uint64_t end,
                          bool *own);
