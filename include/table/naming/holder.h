/* The referrer of an object as a program sees it: the map instead of a bucket, the object with the
   slice instead of the slice's array, unless parts are shown (analysis_parts). */
#pragma once

#include "analysis/analysis.h"

/* Returns the object that represents a referrer, often the referrer itself. After
   STAGE_REVERSED. */
uint32_t holder_of(const struct analysis *analysis, uint32_t object);

/* Appends the step from that object for pointer number `nth` in `object` to `to`: ".C",
   ".Items[3]", `["session-0042"]`; if a variable references the array that contains the pointer,
   the step begins with the variable's name. Returns true in that case. */
bool holder_add_step(const struct analysis *analysis, uint32_t object, uint32_t to, size_t nth,
                     struct buf *out);
