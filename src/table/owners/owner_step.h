/* The steps that lead from a row of a tree of owners to a row below it. */
#ifndef TABLE_OWNER_STEP_H
#define TABLE_OWNER_STEP_H

#include "analysis/analysis.h"

/* Appends the steps of the shortest path from a node to an object that it owns: ".store.msgs",
   `["session-0042"]`. False: appends nothing; the steps are unknown or too many. */
bool owner_step_add(const struct analysis *analysis, uint32_t above, uint32_t object,
                    struct buf *out);

#endif
