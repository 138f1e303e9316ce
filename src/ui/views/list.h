/* The parts of the views "list" and "tree"; private to src/ui/views/list*.c and tree.c. */
#pragma once

#include "table/contents/field_columns.h"
#include "ui/grid.h"
#include "ui/order.h"
#include "ui/page_view.h"
#include "ui/view.h"

/* A list or a tree. Sorting millions of rows takes seconds, so a task does it, while the list shows
   the old order. */
struct list {
	const struct table *table; /* with added fields */
	struct field_columns fields;
	const char *argument; /* of the table, or NULL */
	struct rows *rows;
	size_t topmost; /* number of rows; of a tree, of its topmost rows */
	struct order order;
	/* the order in progress, computed from its `by`; owned by the task until it ends */
	struct order next;
	bool ordering, made; /* a task sorts; it has succeeded */
	size_t begun_at;     /* the cursor's place and row when the task began */
	size_t begun_row;
	bool opening, prepared; /* a task prepares a row of a tree to open; it has succeeded */
	size_t opens;           /* the place of that row */
	bool icicle;            /* true: drawn above the rows */
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

/* tree.c: Opens the row of a tree at a place, at once or after its preparation in a task. */
void tree_open_row(struct view *view, size_t place);
/* Opens the heaviest topmost row, if it has more than half of all, then each such child. */
void tree_open_first(struct view *view);
/* Draws the icicle of a tree; returns its lines. With canvas NULL, draws nothing. */
int tree_draw_icicle(const struct view *view, struct canvas *canvas, int y);
/* Appends the indentation of a row of a tree, and a mark if it is or could be open. */
void tree_add_mark(const struct list *list, size_t place, bool ascii, struct buf *out);
/* Returns true if `left` or `right` moves the columns, since there is nothing to open or close. */
bool tree_passes(const struct view *view, const char *word);
extern const struct view_more tree_more;
