/* The parts of the view "list". Private to src/ui/views/list*.c. */
#ifndef UI_VIEWS_LIST_H
#define UI_VIEWS_LIST_H

#include "table/field_columns.h"
#include "ui/grid.h"
#include "ui/order.h"
#include "ui/page_view.h"
#include "ui/view.h"

/* Millions of rows take seconds to put in order: a task does that, while the list shows them as
   they were. */
struct list {
	const struct table *table; /* with the fields that were added */
	struct field_columns fields;
	const char *argument; /* of the table, or NULL */
	struct rows *rows;
	struct order order;
	struct order next;   /* what is being made, from its `by`; of the task until that has ended */
	bool ordering, made; /* is it, and was it? */
	size_t begun_at;     /* the cursor's place and row when that was begun */
	size_t begun_row;
	struct grid grid;
	struct page empty; /* what is shown in place of rows: why there are none */
};

/* Numbers tell most from the biggest down. */
bool list_natural_direction(const struct table *table, int column);
/* The order that was asked for last, whether it is there or not. */
const struct order_by *list_wanted(const struct list *list);
/* Shows the rows in another order, at once or when that is made. Returns true. */
bool list_reorder(struct view *view, const struct order_by *by);
bool list_sort(struct view *view, int column, bool descending);

bool list_command(struct view *view, const char *word, const char *argument, struct err *err);
extern const char *const list_words[];

#endif
