/* The parts of the view "list". Private to src/ui/views/list*.c. */
#ifndef UI_VIEWS_LIST_H
#define UI_VIEWS_LIST_H

#include "ui/order.h"
#include "ui/page_view.h"
#include "ui/table_loader.h"
#include "ui/view.h"

struct list {
	const struct table *table;
	struct rows *rows;
	struct rows none;            /* stands for the rows until they are open */
	struct table_loader *loader; /* NULL: they are */
	char *argument;              /* of the table, or NULL */
	struct order order;
	size_t begun_at; /* the cursor's place and row when the next order was begun */
	size_t begun_row;
	struct page empty; /* what is shown in place of rows: why there are none */
};

/* Numbers tell most from the biggest down. */
bool list_natural_direction(const struct table *table, int column);
/* Shows the rows in another order, at once or when that is made. Returns true. */
bool list_reorder(struct view *view, const struct order_by *by);
bool list_sort(struct view *view, int column, bool descending);
/* Shows a table in place of the one that was shown; on failure that one stays. */
bool list_show(struct view *view, const struct table *table, const char *argument, struct err *err);

bool list_command(struct view *view, const char *word, const char *argument, struct err *err);
extern const char *const list_words[];

#endif
