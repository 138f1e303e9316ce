/* The printed columns of a table, in order. */
#pragma once

#include "table/table.h"

enum { COLUMNS_MOST = 32 }; /* an upper bound */

struct columns {
	int column[COLUMNS_MOST];
	int count;
};

/* Returns all columns but those on request. */
struct columns columns_all(const struct table *table);
/* Parses names such as "address,size". False: *err lists the names of the table. */
bool columns_parse(struct columns *columns, const struct table *table, const char *names,
                   struct err *err);
/* Removes columns that the explorer hides, and columns without a value in these rows (row NULL: the
   first ones), such as comparisons without an earlier dump. */
void columns_leave_empty(struct columns *columns, const struct rows *rows, const uint32_t *row,
                         size_t count);
/* Says that there is no such table, which one was perhaps meant, and what lists them: "goheapx help
   list lists them". Returns false. */
bool table_unknown(const char *name, const char *lists, struct err *err);
bool columns_have(const struct columns *columns, int column);
/* Parses one name; NULL becomes -1. False: *err as above. */
bool column_parse(int *column, const struct table *table, const char *name, struct err *err);

/* Returns the cell of a row at a place of these columns; its text is in `text`, until the next
   call. */
struct value columns_value(const struct columns *columns, const struct rows *rows, size_t row,
                           int place, struct buf *text);
