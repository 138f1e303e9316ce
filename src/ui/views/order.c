/* The order of a list. */
#include "ui/order.h"

#include "base/mem.h"
#include "ui/grid.h"

#include <stdlib.h>

enum { POLL_EVERY = 4096 }; /* rows between two looks at whether to go on */

/* Keeps the rows of *order that contain the text. */
static bool keep_matches(struct order *order, const struct rows *rows, const char *text,
                         struct progress *progress)
{
	size_t kept = 0, capacity = 0;
	uint32_t *row = NULL;
	progress_begin(progress, "filtering", order->count);
	for (size_t i = 0; i < order->count; i++) {
		if (i % POLL_EVERY == 0 && !progress_step(progress, i)) {
			free(row);
			return false;
		}
		if (!grid_matches(rows, order_row(order, i), text))
			continue;
		row = mem_grow(row, kept, &capacity, sizeof *row);
		row[kept++] = (uint32_t)order_row(order, i);
	}
	free(order->row);
	/* Not NULL even when it is empty: NULL means all rows. */
	order->row = row ? row : mem_alloc(sizeof *row);
	order->count = kept;
	return true;
}

bool order_make(struct order *order, const struct rows *rows, int sort, bool descending,
                const char *filter, struct progress *progress)
{
	struct order made = {.count = rows->count};
	if (sort >= 0 && rows->count) {
		made.row = rows_sorted(rows, sort, descending, progress);
		if (!made.row)
			return false;
	}
	if (filter && *filter && !keep_matches(&made, rows, filter, progress)) {
		free(made.row);
		return false;
	}
	order_fini(order);
	*order = made;
	return true;
}

void order_fini(struct order *order)
{
	free(order->row);
	*order = (struct order){0};
}

size_t order_row(const struct order *order, size_t place)
{
	return order->row ? order->row[place] : place;
}

size_t order_place(const struct order *order, size_t row)
{
	if (!order->row)
		return row < order->count ? row : 0;
	for (size_t i = 0; i < order->count; i++)
		if (order->row[i] == row)
			return i;
	return 0;
}
