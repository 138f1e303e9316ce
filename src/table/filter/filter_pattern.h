/* Which regular expressions are read. Private to src/table/filter*.c. */
#ifndef TABLE_FILTER_PATTERN_H
#define TABLE_FILTER_PATTERN_H

#include "base/err.h"

/* False for those that would take the library very long, or very much memory, to compile or to
   match: it writes what is repeated out. *err is what was expected instead. */
bool pattern_is_bounded(const char *text, struct err *err);

#endif
