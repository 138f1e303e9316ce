/* Queries whose answer needs only the values that rows have, and how many rows have them: they are
   rewritten to read equal rows once (table/query/sql_folded.h). Private to src/table/query. */
#pragma once

#include "base/buf.h"

#include <stdbool.h>

/* Appends a query with the same answer: count(*) becomes a sum of "equal rows", sum(size) a sum of
   size * "equal rows". False: it is not known to be one that only counts, adds or groups rows of
   one table; *out is of no use then. What is malformed in the query stays so. */
bool sql_rewrite(const char *query, struct buf *out);
