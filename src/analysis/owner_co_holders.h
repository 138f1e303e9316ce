/* Which owners lead to what is immediately below the root, private to src/analysis. */
#ifndef ANALYSIS_OWNER_CO_HOLDERS_H
#define ANALYSIS_OWNER_CO_HOLDERS_H

#include "analysis/owners.h"

/* Of each of owners->top, in that order, the set of owners that have a way to it; free() it. NULL:
   cancelled. owner, of_root_node, top, children and the empty sets must be there. */
uint32_t *owner_co_holder_sets(struct owners *owners, struct progress *progress);

/* Its slower half: finds what leads to each other first, whatever ways there are. False: cancelled.
 */
struct owner_ways;
bool owner_co_holders_find(struct owner_ways *ways, struct owner_sets *sets,
                           struct progress *progress);

#endif
