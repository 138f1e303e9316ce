/* Who holds something together: no one of them alone retains it, and when all of them go, it goes.
   They are what a dominator points at and what leads on from there to the next one. */
#ifndef ANALYSIS_CO_HOLDERS_H
#define ANALYSIS_CO_HOLDERS_H

#include "analysis/path_dominators.h"
#include "analysis/what_if.h"

struct co_holders {
	uint32_t *holder; /* nodes, ascending: objects, then root nodes */
	size_t count, capacity;
	bool directly; /* the first dominator itself points at the second, too */
};

/* Do several ways lead to a dominator (not the first)? Soon said. */
bool co_holders_exists(struct path_dominators *path_dominators, size_t path_dominator);

/* Of the segment up to a dominator (not the first). A single holder, or none but `directly`: there
   is one way only. False: cancelled. */
bool co_holders_find(struct path_dominators *path_dominators, size_t path_dominator,
                     struct progress *progress, struct co_holders *co_holders);
void co_holders_fini(struct co_holders *co_holders);
/* Does it take more than one? */
static inline bool co_holders_is(const struct co_holders *co_holders)
{
	return co_holders->count + co_holders->directly > 1;
}

/* What goes when all of them go, and with them the reference of the first dominator.
   False: cancelled. */
bool co_holders_freed(const struct path_dominators *path_dominators, size_t path_dominator,
                      const struct co_holders *co_holders, struct progress *progress,
                      struct freed *freed);

#endif
