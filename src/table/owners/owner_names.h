/* Names of shared sets of owners as the table owners prints them. */
#pragma once

#include "analysis/analysis.h"

/* Returns by shared set (analysis/owners.h) whether the table owners calls it so, or its owners.
   NULL: none has that name, or owners are not known yet. The caller frees the result. */
bool *owner_names_sets(const struct analysis *analysis, const char *name);
