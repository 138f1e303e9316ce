/* Private to step_class.c. */
#pragma once

#include "analysis/analysis.h"

/* Appends the step from a root: a variable, the same for all threads with the same task. */
void step_root_add(const struct analysis *analysis, const struct root *root, struct buf *out);
