/* The owners of nodes immediately below the root; private to src/analysis. */
#ifndef ANALYSIS_OWNER_CO_HOLDERS_H
#define ANALYSIS_OWNER_CO_HOLDERS_H

#include "analysis/owners.h"

/* Returns, for each node of owners->top in that order, the set of owners that reach it; the caller
   frees it. NULL: cancelled. Reads owner, of_root_node, top, children and the empty sets of
   `owners`. */
uint32_t *owner_co_holder_sets(struct owners *owners, struct progress *progress);

/* The fallback for graphs on which owner_edges_spread gives up: finds strongly connected components
   first, which is linear for any graph. False: cancelled. */
struct owner_edges;
bool owner_co_holders_find(struct owner_edges *edges, struct owner_sets *sets,
                           struct progress *progress);

#endif
