/* Which elements of arrays are in no slice: looked up by object and offset. */
#pragma once

#include "analysis/analysis.h"

struct outside_spans;

/* Finds the arrays that have such elements with references, and the windows over them. After
   STAGE_TYPED, STAGE_REACHED and STAGE_REVERSED. NULL: cancelled. The caller frees it. */
struct outside_spans *outside_spans_new(const struct analysis *analysis, struct progress *progress);
void outside_spans_free(struct outside_spans *spans);
/* Returns true if the element of an object at an offset is in no slice of it, no pointer leads to
   it, and it is not behind the target of a pointer of unknown extent. */
bool outside_spans_has(const struct outside_spans *spans, uint32_t object, uint64_t offset);
