/* The values of panics. */
#pragma once

#include "analysis/analysis.h"

/* Appends the value of a panic: `"no such key"`, `runtime.boundsError{...}`. Appends nothing before
   STAGE_TYPED, without an executable, or if its type is unknown. */
void panic_add_value(const struct analysis *analysis, const struct panic_record *panic,
                     struct buf *out);
