/* What tells that two dumps are of one process. */
#pragma once

#include "analysis/series.h"

struct heap;
struct map;

/* Returns true if two dumps have one version, architecture and places of variables. */
bool series_same_program(const struct heap *a, const struct heap *b);

/* Returns true if nothing tells that `older` is of another process than `newer` or was written
   after it; else false with an error that says what does. `numbers` has the threads of `older` by
   their ids. Costs a look at each thread, or at each object if a format numbers its objects. */
bool series_fits(const struct analysis *older, const struct analysis *newer,
                 const struct map *numbers, struct err *err);
