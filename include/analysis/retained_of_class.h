/* What the objects of a class retain together, no byte twice: only those count that no other object
   of their class dominates. */
#ifndef ANALYSIS_RETAINED_OF_CLASS_H
#define ANALYSIS_RETAINED_OF_CLASS_H

#include "analysis/dominators.h"

/* class_of[object] is one of 0 ... classes - 1, or UINT32_MAX; adds to bytes[class]. False:
   cancelled. */
bool retained_of_class_sum(const struct dominators *dominators, const uint32_t *class_of,
                           uint32_t classes, uint64_t *bytes, struct progress *progress);

#endif
