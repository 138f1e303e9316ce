/* How much more a path retains than in the oldest earlier dump: growth() of assertions. */
#ifndef TABLE_FILTER_PATH_GROWTH_H
#define TABLE_FILTER_PATH_GROWTH_H

#include "analysis/analysis.h"

/* "" for the path: all that is reachable. Before, it may lead nowhere yet. After STAGE_TYPED and
   STAGE_DOMINATED. False: *err. */
bool path_growth(const struct analysis *analysis, const char *path, uint64_t *bytes, bool *negative,
                 struct err *err);

#endif
