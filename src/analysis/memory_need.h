/* Whether there is memory for what the stages make. */
#ifndef ANALYSIS_MEMORY_NEED_H
#define ANALYSIS_MEMORY_NEED_H

#include "analysis/analysis.h"

/* May the stages be begun that are set, of which those before STAGE_LINKED are there? False: *err
   says which of them is the first that does not fit, *first is that. */
bool memory_need_fits(const struct heap *heap, bool executable, unsigned stages, enum stage *first,
                      struct err *err);

#endif
