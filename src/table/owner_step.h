/* How a row of a tree of owners is reached from the row above it. */
#ifndef TABLE_OWNER_STEP_H
#define TABLE_OWNER_STEP_H

#include "analysis/analysis.h"

/* Appends what one writes behind the name of a node to name an object that hangs on it, by the
   shortest path: ".store.msgs", `["session-0042"]`. False: nothing is appended, as that is not
   known, or there are too many steps between. */
bool owner_step_add(const struct analysis *analysis, uint32_t above, uint32_t object,
                    struct buf *out);

#endif
