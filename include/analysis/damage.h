/* What a damaged file means for the answers. */
#ifndef ANALYSIS_DAMAGE_H
#define ANALYSIS_DAMAGE_H

#include "heap/heap.h"

/* The k-th consequence (from 0) of what is missing, as a sentence; NULL: no more. An intact dump
   has none. Damage that was skipped says itself what it means, in its warning. */
const char *damage_meaning(const struct heap *heap, size_t k);

/* Does the dump have records of roots? Without any, nothing can be said of what is alive. */
bool damage_has_roots(const struct heap *heap);

#endif
