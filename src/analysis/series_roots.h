/* At which root the path of each object begins, of the dumps of a series. */
#ifndef ANALYSIS_SERIES_ROOTS_H
#define ANALYSIS_SERIES_ROOTS_H

#include "analysis/reach.h"

struct series_roots;

struct series_roots *series_roots_new(void);
void series_roots_free(struct series_roots *roots);
/* The root of an object in the dump that this is the reachability of; NULL: there is no path. All
   objects' are found when first asked for one of them, in any thread, or by series_roots_get. */
const struct root *series_root_of(struct series_roots *roots, const struct reach *reach,
                                  uint32_t object);
void series_roots_get(struct series_roots *roots, const struct reach *reach);

#endif
