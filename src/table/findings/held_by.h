/* Who else holds what a place would not free. */
#pragma once

#include "table/findings/finding.h"

struct what_if_sets;

/* Names for each finding of a place that frees less than its bytes who holds most of what is left
   of them: the place of a referrer outside, or a root. `sets`: what is left without each of the
   findings, in their order. What an object counts is what it retains. */
void held_by_find(struct finding *const *finding, size_t count, const struct analysis *analysis,
                  const struct what_if_sets *sets, struct progress *progress);
