/* Which rows of a table a list shows, and in which order. */
#ifndef UI_ORDER_H
#define UI_ORDER_H

#include "table/table.h"

struct order {
	uint32_t *row; /* row of the table at each place; NULL: all rows as they are */
	size_t count;
};

/* Sorts by a column (-1: the table's own order) and keeps the rows that contain `filter` (NULL or
   empty: all). False when cancelled: *order is as it was. What it held before is given back. */
bool order_make(struct order *order, const struct rows *rows, int sort, bool descending,
                const char *filter, struct progress *progress);
void order_fini(struct order *order);

size_t order_row(const struct order *order, size_t place);
/* Where a row of the table is now; 0 when it is not shown. */
size_t order_place(const struct order *order, size_t row);

#endif
