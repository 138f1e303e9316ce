/* Which owners lead to what is immediately below the root, private to src/analysis. */
#ifndef ANALYSIS_OWNER_JOINT_H
#define ANALYSIS_OWNER_JOINT_H

#include "analysis/owners.h"

/* Of each of owners->top, in that order, the set of owners that have a way to it; free() it. NULL:
   cancelled. owner, of_anchor, top and the empty sets must be there. */
uint32_t *owner_joint_sets(struct owners *owners, struct progress *progress);

#endif
