/* The rows that have a value in a column: looked up in the order of that column, which is made at
   the first question. What is found is what a scan of all rows would find, because both ask the
   cells. */
#pragma once

#include "table/query/sql_module.h"

/* Returns true if the rows of a table can be looked up by a column: texts that many rows share, and
   addresses of objects. */
bool sql_index_has(const struct table *table, int column);
/* Stores in *row the rows of t->all, at most UINT32_MAX, whose cell is `text`, in their order; the
   caller frees them. False: cancelled. */
bool sql_index_find(struct sql_table *t, int column, const char *text, size_t **row, size_t *count);
/* Frees the orders of a table. */
void sql_index_free(struct sql_table *t);
