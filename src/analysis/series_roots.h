/* The root of each object's path, for the dumps of a series. */
#ifndef ANALYSIS_SERIES_ROOTS_H
#define ANALYSIS_SERIES_ROOTS_H

#include "analysis/reach.h"

struct series_roots;

struct series_roots *series_roots_new(void);
void series_roots_free(struct series_roots *roots);
/* Returns the root of an object in the dump of `reach`; NULL: no path. The first call of either
   function computes the roots of all objects; any thread may call. */
const struct root *series_root_of(struct series_roots *roots, const struct reach *reach,
                                  uint32_t object);
void series_roots_get(struct series_roots *roots, const struct reach *reach);

#endif
