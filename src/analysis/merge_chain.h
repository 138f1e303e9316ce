/* Chains whose links take several steps: private to analysis/merge.c. */
#pragma once

#include "analysis/merge.h"

/* Returns the node that a step with a label below a node goes on with: the labels of the last steps
   are those of as many steps before, and this one would begin them for the third time. OBJECT_NONE:
   there is none. Marks the nodes of the second time with the period. */
uint32_t merge_chain_link(struct merge_node *node, uint32_t above, uint32_t label);
/* Merges the nodes of the second time into those of the first, and so all that is below them. Nodes
   are as merge_order() takes them; `steps` has the number of steps to each object from its root.
   Returns the new number of each node, which the caller frees. In proportion to the nodes. */
uint32_t *merge_chain_fold(struct merged_paths *paths, struct merge_node *top,
                           const uint32_t *steps);
