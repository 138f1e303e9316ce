/* Limits on regular expressions. Private to src/table/query. */
#ifndef TABLE_FILTER_PATTERN_H
#define TABLE_FILTER_PATTERN_H

#include "base/err.h"

/* Returns false for a pattern that would take the library very long, or very much memory, to
   compile or match, because it expands repetitions. *err says what was expected instead. */
bool pattern_is_bounded(const char *text, struct err *err);

#endif
