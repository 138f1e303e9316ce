/* What the objects of a class retain together, no byte twice: only those count that no other object
   of their class dominates. */
#ifndef ANALYSIS_TOPMOST_H
#define ANALYSIS_TOPMOST_H

#include "analysis/heirs.h"

/* class_of[object] is one of 0 ... classes - 1, or UINT32_MAX; adds to bytes[class]. False:
   cancelled. */
bool topmost_sum(const struct dominators *dominators, const struct heirs *heirs,
                 const uint32_t *class_of, uint32_t classes, uint64_t *bytes,
                 struct progress *progress);

#endif
