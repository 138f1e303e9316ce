/* The rows of a table that a view shows, and their order. In a tree, rows open and close in place:
   each has a depth, and those below an open row follow it. */
#pragma once

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
	/* of a tree only: */
	uint32_t *depth;     /* by place */
	size_t fold;         /* 1 + the row that stands for folded ones, see table_tree.fold; 0: none */
	size_t topmost;      /* number of topmost rows; 0: none of them is folded, as with a filter */
	size_t capacity;     /* of both */
	unsigned char *open; /* by row of the table: who has opened it; 0: nobody, also above `opens` */
	size_t opens;
};

/* Filters and sorts the first `count` rows as order->by says; in a tree, these are the topmost
   rows, and those below open rows follow them, each group in this order. A filter of a tree keeps
   open rows as well, and opens rows above those for which it holds, if the table knows all rows.
   False: cancelled, and there are no places. */
bool order_make(struct order *order, struct rows *rows, size_t count, struct progress *progress);
void order_fini(struct order *order);

size_t order_row(const struct order *order, size_t place);
/* Returns the place of a row of the table; SIZE_MAX: it is not shown. */
size_t order_of(const struct order *order, size_t row);

/* Returns true for a row that is shown below order->fold. */
bool order_is_folded(const struct order *order, const struct rows *rows, size_t row);
/* For trees. Returns true if the row at a place is open, or could open: is closed and has
   children. */
bool order_is_open(const struct order *order, size_t place);
bool order_can_open(const struct order *order, const struct rows *rows, size_t place);
void order_open(struct order *order, struct rows *rows, size_t place);
/* Closes a row and all that is below it. */
void order_close(struct order *order, size_t place);
/* Closes a row, and shows `turned` instead of it: see table_tree.turn. */
void order_turn(struct order *order, size_t place, size_t turned);
/* Returns the place of the parent; that of its topmost row for this itself. */
size_t order_above(const struct order *order, size_t place);
