/* The values of panics. */
#pragma once

#include "analysis/analysis.h"

/* Appends the value of a panic: `"no such key"`, `runtime.boundsError{...}`. Appends nothing before
   STAGE_TYPED, without an executable, or if its type is unknown. */
void panic_add_value(const struct analysis *analysis, const struct panic_record *panic,
                     struct buf *out);
/* Appends the type of that value: "string", "*main.failure"; the address of its
   record where that is unknown; nothing for runtime.Goexit. */
void panic_add_type(const struct analysis *analysis, const struct panic_record *panic,
                    struct buf *out);
