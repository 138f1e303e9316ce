/* The rows of a table that a list shows, and their order. */
#ifndef UI_ORDER_H
#define UI_ORDER_H

#include "table/table.h"

struct order_by {
	int sort; /* column; -1: the table's own order */
	bool descending;
	char *filter; /* a filter expression (table/query/filter.h); NULL: all rows */
};

struct order_by order_by_copy(const struct order_by *by); /* freed by order_fini */

struct order {
	struct order_by by;
	uint32_t *row; /* row of the table by place; NULL: all rows in table order */
	size_t count;
};

/* Filters and sorts the rows as order->by says. False: cancelled, and the order is empty. */
bool order_make(struct order *order, const struct rows *rows, struct progress *progress);
void order_fini(struct order *order);

size_t order_row(const struct order *order, size_t place);
/* Returns the place of a row of the table; 0 if it is not shown. */
size_t order_place(const struct order *order, size_t row);

#endif
