/* The columns of a table that are printed, in the order in which they are. */
#ifndef MAIN_COLUMNS_H
#define MAIN_COLUMNS_H

#include "table/table.h"

enum { COLUMNS_MOST = 32 }; /* more than any table has */

struct columns {
	int column[COLUMNS_MOST];
	int count;
};

struct columns columns_all(const struct table *table);
/* "address,size". False: *err says which names there are. */
bool columns_parse(struct columns *columns, const struct table *table, const char *names,
                   struct err *err);
/* Leaves out what a table does not show in the explorer and what has no value in any of these rows
   (row NULL: the first ones), such as what compares with an earlier dump where there is none. */
void columns_leave_empty(struct columns *columns, const struct rows *rows, const uint32_t *row,
                         size_t count);
bool columns_have(const struct columns *columns, int column);
/* The number of one name; NULL: -1. False: *err likewise. */
bool column_parse(int *column, const struct table *table, const char *name, struct err *err);

/* The cell of a row at a place of these; its text is in `text`, as long as no other is asked for.
 */
struct value columns_value(const struct columns *columns, const struct rows *rows, size_t row,
                           int place, struct buf *text);

#endif
