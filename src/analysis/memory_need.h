/* A check whether the memory suffices for the results of the stages. */
#ifndef ANALYSIS_MEMORY_NEED_H
#define ANALYSIS_MEMORY_NEED_H

#include "analysis/analysis.h"

/* Returns true if `stages` fit into memory; those before STAGE_LINKED are finished. False: *first
   is the first stage that does not fit, *err says so. */
bool memory_need_fits(const struct heap *heap, bool executable, unsigned stages, enum stage *first,
                      struct err *err);

#endif
