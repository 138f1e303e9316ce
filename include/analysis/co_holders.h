/* Sets of nodes that retain an object together: none alone retains it, and it becomes unreachable
   when all of them go. These are the direct successors of a dominator through which paths lead to
   the next dominator. */
#ifndef ANALYSIS_CO_HOLDERS_H
#define ANALYSIS_CO_HOLDERS_H

#include "analysis/path_dominators.h"
#include "analysis/what_if.h"

struct co_holders {
	uint32_t *holder; /* nodes, ascending: objects, then root nodes */
	size_t count, capacity;
	bool directly; /* the first dominator itself references the second */
};

/* Returns true if several edges lead to a dominator (not the first). Cheap. */
bool co_holders_exists(struct path_dominators *path_dominators, size_t path_dominator);

/* Finds the co-holders of the segment that ends at a dominator (not the first). A single holder, or
   only `directly`, means that there is a single path. False: cancelled. */
bool co_holders_find(struct path_dominators *path_dominators, size_t path_dominator,
                     struct progress *progress, struct co_holders *co_holders);
void co_holders_fini(struct co_holders *co_holders);
/* Returns true if several nodes retain it together. */
static inline bool co_holders_is(const struct co_holders *co_holders)
{
	return co_holders->count + co_holders->directly > 1;
}

/* Computes what becomes unreachable when all holders and the reference of the first dominator go.
   False: cancelled. */
bool co_holders_freed(const struct path_dominators *path_dominators, size_t path_dominator,
                      const struct co_holders *co_holders, struct progress *progress,
                      struct freed *freed);

#endif
