/* Who else holds what a finding is about. */
#pragma once

#include "table/findings/finding.h"

struct what_if_sets;

/* Names for each finding of a place who else holds most of its objects, or of what is below these
   and would be left without them: the place of referrers outside, or a root; nobody, if it holds
   little. `sets`: what is left without each of the findings, in their order. What an object counts
   is what it retains. */
void held_by_find(struct finding *const *finding, size_t count, const struct analysis *analysis,
                  const struct what_if_sets *sets, struct progress *progress);
