/* Private to step_class.c. */
#ifndef TABLE_NAMING_STEP_ROOT_H
#define TABLE_NAMING_STEP_ROOT_H

#include "analysis/analysis.h"

/* Appends the step from a root: a variable, the same for all threads with the same task. */
void step_root_add(const struct analysis *analysis, const struct root *root, struct buf *out);

#endif
