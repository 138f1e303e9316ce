/* Which rows of a table a list shows, and in which order. Millions of rows take seconds to put in
   order: that is done in the background, while the list shows them as they were. */
#ifndef UI_ORDER_H
#define UI_ORDER_H

#include "table/table.h"

struct order_by {
	int sort; /* column, -1: the table's own order */
	bool descending;
	char *filter; /* only rows for which it holds (table/filter.h); NULL: all */
};

struct order_job;

struct order {
	const struct rows *rows;
	const char *argument; /* that the rows were opened with; may be NULL */
	struct order_by by;
	uint32_t *row; /* row of the table at each place; NULL: all rows as they are */
	size_t count;
	struct order_job *job; /* the next order, on its way; or NULL */
};

/* All rows, as the table has them. Both are borrowed. */
void order_init(struct order *order, const struct rows *rows, const char *argument);
void order_fini(struct order *order);

/* Begins to put the rows in another order, instead of any that was on its way. True: that is done;
   false: order_work() goes on with it. `by` is borrowed. */
bool order_begin(struct order *order, const struct order_by *by);
/* What was begun last, whether that is done or not. */
const struct order_by *order_wanted(const struct order *order);
bool order_busy(const struct order *order);
/* Waits for about 20 ms. True: it is done. */
bool order_work(struct order *order);
void order_cancel(struct order *order);                          /* stays as it is */
void order_progress(const struct order *order, struct buf *out); /* "sorting 34%"; nothing: none */

size_t order_row(const struct order *order, size_t place);
/* Where a row of the table is now; 0 when it is not shown. */
size_t order_place(const struct order *order, size_t row);

#endif
