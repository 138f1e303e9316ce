/* What goroutines panic with. */
#ifndef TABLE_PANIC_H
#define TABLE_PANIC_H

#include "analysis/analysis.h"

/* Appends the value of a panic as people read it: `"no such key"`, `runtime.boundsError{...}`.
   Nothing before STAGE_TYPED, without an executable, or where its type is not known. */
void panic_add_value(const struct analysis *analysis, const struct panic_record *panic,
                     struct buf *out);

#endif
