/* The parts of the view "list"; private to src/ui/views/list*.c. */
#ifndef UI_VIEWS_LIST_H
#define UI_VIEWS_LIST_H

#include "table/contents/field_columns.h"
#include "ui/grid.h"
#include "ui/order.h"
#include "ui/page_view.h"
#include "ui/view.h"

/* A list. Sorting millions of rows takes seconds, so a task does it, while the list shows the old
   order. */
struct list {
	const struct table *table; /* with added fields */
	struct field_columns fields;
	const char *argument; /* of the table, or NULL */
	struct rows *rows;
	struct order order;
	/* the order in progress, computed from its `by`; owned by the task until it ends */
	struct order next;
	bool ordering, made; /* a task sorts; it has succeeded */
	size_t begun_at;     /* the cursor's place and row when the task began */
	size_t begun_row;
	struct grid grid;
	struct page empty; /* shown instead of rows: why there are none */
};

/* Returns true if a column is sorted in descending order at first: numbers are. */
bool list_natural_direction(const struct table *table, int column);
/* Returns the order requested last, whether it is ready or not. */
const struct order_by *list_wanted(const struct list *list);
/* Shows the rows in another order, at once or when it is ready. Returns true. */
bool list_reorder(struct view *view, const struct order_by *by);
bool list_sort(struct view *view, int column, bool descending);

#endif
