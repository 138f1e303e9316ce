/* Limits on regular expressions. Private to src/table/query. */
#pragma once

#include "base/err.h"

/* Returns false for a pattern that would take the library very long, or very much memory, to
   compile or match, because it expands repetitions. *err says what was expected instead. */
bool pattern_is_bounded(const char *text, struct err *err);
