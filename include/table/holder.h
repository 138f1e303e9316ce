/* Who holds a pointer, as a program sees it: of a bucket the map, of the array of a slice what has
   the slice, unless parts are shown (analysis_parts). */
#ifndef TABLE_HOLDER_H
#define TABLE_HOLDER_H

#include "analysis/analysis.h"

/* The object that stands for one that holds something: often that itself. After STAGE_REVERSED. */
uint32_t holder_of(const struct analysis *analysis, uint32_t object);

/* Appends what is written behind that holder for the pointer number `nth` in `object` to `to`:
   ".C",
   ".Items[3]", `["session-0042"]`; behind a variable that holds the array in which it is, with its
   name. */
void holder_add_step(const struct analysis *analysis, uint32_t object, uint32_t to, size_t nth,
                     struct buf *out);

#endif
