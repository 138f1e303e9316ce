/* Which rows of a table a list shows, and in which order. */
#ifndef UI_ORDER_H
#define UI_ORDER_H

#include "table/table.h"

struct order_by {
	int sort; /* column, -1: the table's own order */
	bool descending;
	char *filter; /* only rows for which it holds (table/filter.h); NULL: all */
};

struct order_by order_by_copy(const struct order_by *by); /* order_fini frees it */

struct order {
	struct order_by by;
	uint32_t *row; /* row of the table at each place; NULL: all rows as they are */
	size_t count;
};

/* Puts the rows in the order that order->by says. False: cancelled, and there are none. */
bool order_make(struct order *order, const struct rows *rows, struct progress *progress);
void order_fini(struct order *order);

size_t order_row(const struct order *order, size_t place);
/* Where a row of the table is now; 0 when it is not shown. */
size_t order_place(const struct order *order, size_t row);

#endif
