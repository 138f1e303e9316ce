/* The order of a list. */
#include "ui/order.h"

#include "base/mem.h"
#include "table/query/filter.h"

#include <stdlib.h>

struct order_by order_by_copy(const struct order_by *by)
{
	struct order_by copy = *by;
	copy.filter = by->filter && *by->filter ? mem_strdup(by->filter) : NULL;
	return copy;
}

static bool keep_wanted(struct order *order, const struct rows *rows, struct progress *progress)
{
	struct filter *filter = filter_new(rows->table, order->by.filter, NULL);
	if (filter)
		order->row = rows_filtered(rows, filter, SIZE_MAX, &order->count, progress);
	filter_free(filter);
	return order->row != NULL;
}

/* Filters the rows, then sorts those that remain. */
bool order_make(struct order *order, const struct rows *rows, struct progress *progress)
{
	const struct order_by *by = &order->by;
	order->count = rows->count;
	bool made = !by->filter || keep_wanted(order, rows, progress);
	if (made && by->sort >= 0 && order->count) {
		if (!order->row)
			order->row = rows_sorted(rows, by->sort, by->descending, progress);
		else
			made = rows_sort(rows, order->row, order->count, by->sort, by->descending, progress);
		made = made && order->row;
	}
	if (!made)
		order->count = 0;
	return made;
}

void order_fini(struct order *order)
{
	free(order->row);
	free(order->by.filter);
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
