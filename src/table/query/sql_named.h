/* Arguments that a query names itself, as opposed to those that it reads from rows. Private to
   src/table/query. */
#pragma once

#include <stdbool.h>

/* Returns true if the query contains the argument as a text or a number of SQL. */
bool sql_named_in(const char *query, const char *argument);
