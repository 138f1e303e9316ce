/* The paths to an object by their kinds: those that begin at the same variable, or in the same
   function, whichever thread runs it, and lead on through the same fields are one, with a
   number. Where parts are shown (analysis_parts) each path is a kind of its own. */
#pragma once

#include "analysis/analysis.h"

struct path_kinds;

/* Starts the enumeration for an object. After STAGE_REVERSED. The caller calls path_kinds_close. */
struct path_kinds *path_kinds_open(const struct analysis *analysis, uint32_t object);
void path_kinds_close(struct path_kinds *kinds);
/* The first path of the k-th kind (from 0), looked for when it is first asked for; NULL: there are
   no more, or `progress` is cancelled. It stays until path_kinds_close. */
const struct path *path_kinds_get(struct path_kinds *kinds, size_t k, struct progress *progress);
/* How many paths of the k-th kind have been met. */
size_t path_kinds_alike(const struct path_kinds *kinds, size_t k);
/* Says that a path with this number (from 1) was not found: that there is none only if all were
   met. Returns false. */
bool path_kinds_absent(const struct path_kinds *kinds, uint64_t number, struct err *err);
/* Have all paths been met? */
bool path_kinds_exhausted(const struct path_kinds *kinds);
