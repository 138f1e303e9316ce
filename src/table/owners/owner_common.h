/* What the shortest paths of several nodes have in common. */
#pragma once

#include "analysis/analysis.h"

/* Returns the last object that the paths of all nodes lead through, below the node `above` or from
   the root; OBJECT_NONE: there is none, or a path is longer than 256 objects. */
uint32_t owner_common_of(const struct analysis *analysis, uint32_t above, struct ids nodes);
