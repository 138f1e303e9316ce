#include "ui/order.h"

#include "base/mem.h"
#include "table/query/filter.h"

#include <stdlib.h>
#include <string.h>

/* Who has opened a row; and that another one with other parts is shown instead of it. */
enum { OPENED = 1, FOUND = 2 /* by the filter, below it */, TURNED = 4 };

struct order_by order_by_copy(const struct order_by *by)
{
	struct order_by copy = *by;
	copy.filter = by->filter && *by->filter ? mem_strdup(by->filter) : NULL;
	return copy;
}

static bool row_is_open(const struct order *order, size_t row)
{
	return row < order->opens && order->open[row] & (OPENED | FOUND);
}

static void mark_open(struct order *order, size_t row, unsigned char by)
{
	while (row >= order->opens) {
		size_t before = order->opens;
		order->open = mem_grow(order->open, before, &order->opens, 1);
		memset(order->open + before, 0, order->opens - before);
	}
	order->open[row] |= by;
}

/* Returns the filter of the rows; NULL: none. */
static struct filter *filter_of(const struct order *order, const struct rows *rows)
{
	return order->by.filter ? filter_new(rows->table, order->by.filter, NULL) : NULL;
}

bool order_is_folded(const struct order *order, const struct rows *rows, size_t row)
{
	return row < order->topmost && rows->table->tree->is_folded(rows, row);
}

/* Adds the row of the folded ones to `count` topmost rows: behind those that weigh more. */
static void insert_fold(const struct order *order, const struct rows *rows, uint32_t *row,
                        size_t count)
{
	uint32_t fold = (uint32_t)order->fold - 1;
	size_t place = 0;
	while (place < count && rows_weight(rows, row[place]) > rows_weight(rows, fold))
		place++;
	memmove(row + place + 1, row + place, (count - place) * sizeof *row);
	row[place] = fold;
}

/* Inserts the wanted ones of the rows first ... first + count - 1 of a tree at a place. */
static void insert(struct order *order, struct rows *rows, size_t place, size_t first, size_t count,
                   uint32_t depth)
{
	struct filter *filter = filter_of(order, rows);
	SCOPED_FREE uint32_t *row = mem_alloc((count + 2) * sizeof *row);
	size_t kept = 0;
	for (size_t i = first; i < first + count; i++) {
		size_t shown = i;
		if (order_is_folded(order, rows, i) != (depth && i < order->topmost))
			continue;
		if (i < order->opens && order->open[i] & TURNED)
			rows->table->tree->turn(rows, i, &shown, NULL);
		if (!filter || row_is_open(order, shown) || filter_matches(filter, rows, shown))
			row[kept++] = (uint32_t)shown;
	}
	filter_free(filter);
	if (order->topmost && !depth)
		insert_fold(order, rows, row, kept++);
	if (order->by.sort >= 0 && kept)
		rows_sort(rows, row, kept, order->by.sort, order->by.descending, NULL);
	while (order->capacity < order->count + kept) {
		size_t capacity = order->capacity;
		order->row = mem_grow(order->row, capacity, &order->capacity, sizeof *row);
		order->depth = mem_grow(order->depth, capacity, &capacity, sizeof *order->depth);
	}
	size_t after = kept ? order->count - place : 0;
	if (after) {
		memmove(order->row + place + kept, order->row + place, after * sizeof *row);
		memmove(order->depth + place + kept, order->depth + place, after * sizeof *row);
	}
	for (size_t i = 0; i < kept; i++) {
		order->row[place + i] = row[i];
		order->depth[place + i] = depth;
	}
	order->count += kept;
}

static void insert_below(struct order *order, struct rows *rows, size_t place)
{
	size_t row = order->row[place], first = 0, count = order->topmost;
	if (!count || row + 1 != order->fold)
		count = rows->table->tree->below(rows, row, &first);
	insert(order, rows, place + 1, first, count, order->depth[place] + 1);
}

/* Opens the rows above those for which the filter holds. */
static void open_above_found(struct order *order, struct rows *rows)
{
	const struct table_tree *tree = rows->table->tree;
	for (size_t row = 0; row < order->opens; row++)
		order->open[row] &= OPENED | TURNED;
	struct filter *filter = tree->all ? filter_of(order, rows) : NULL;
	for (size_t row = 0; filter && row < tree->all(rows); row++) {
		size_t above = filter_matches(filter, rows, row) ? tree->above(rows, row) : SIZE_MAX;
		for (; above != SIZE_MAX; above = tree->above(rows, above)) {
			if (above < order->opens && order->open[above] & FOUND)
				break;
			mark_open(order, above, FOUND);
		}
	}
	filter_free(filter);
}

static bool make_list(struct order *order, const struct rows *rows, struct progress *progress)
{
	const struct order_by *by = &order->by;
	struct filter *filter = filter_of(order, rows);
	if (filter)
		order->row = rows_filtered(rows, filter, SIZE_MAX, &order->count, progress);
	filter_free(filter);
	if (by->filter && !order->row)
		return false;
	if (by->sort < 0 || !order->count)
		return true;
	if (order->row)
		return rows_sort(rows, order->row, order->count, by->sort, by->descending, progress);
	order->row = rows_sorted(rows, by->sort, by->descending, progress);
	return order->row != NULL;
}

bool order_make(struct order *order, struct rows *rows, size_t count, struct progress *progress)
{
	if (rows->table->tree) {
		open_above_found(order, rows);
		order->topmost = order->by.filter || !order->fold ? 0 : count;
		insert(order, rows, 0, 0, count, 0);
		for (size_t place = 0; place < order->count; place++)
			if (order_is_open(order, place))
				insert_below(order, rows, place);
		return true;
	}
	order->count = count;
	bool made = make_list(order, rows, progress);
	order->count = made ? order->count : 0;
	return made;
}

void order_fini(struct order *order)
{
	free(order->row);
	free(order->depth);
	free(order->open);
	free(order->by.filter);
	*order = (struct order){0};
}

size_t order_row(const struct order *order, size_t place)
{
	return order->row ? order->row[place] : place;
}

size_t order_of(const struct order *order, size_t row)
{
	if (!order->row)
		return row < order->count ? row : SIZE_MAX;
	for (size_t place = 0; place < order->count; place++)
		if (order->row[place] == row)
			return place;
	return SIZE_MAX;
}

bool order_is_open(const struct order *order, size_t place)
{
	return row_is_open(order, order->row[place]);
}

bool order_can_open(const struct order *order, const struct rows *rows, size_t place)
{
	return !order_is_open(order, place) && rows->table->tree->has_below(rows, order->row[place]);
}

void order_open(struct order *order, struct rows *rows, size_t place)
{
	mark_open(order, order->row[place], OPENED);
	insert_below(order, rows, place);
}

void order_close(struct order *order, size_t place)
{
	size_t end = place + 1;
	while (end < order->count && order->depth[end] > order->depth[place])
		end++;
	for (size_t i = place; i < end; i++)
		if (order_is_open(order, i))
			order->open[order->row[i]] = 0;
	size_t after = (order->count - end) * sizeof *order->row;
	memmove(order->row + place + 1, order->row + end, after);
	memmove(order->depth + place + 1, order->depth + end, after);
	order->count -= end - place - 1;
}

void order_turn(struct order *order, size_t place, size_t turned)
{
	size_t row = order->row[place];
	order_close(order, place);
	if (turned > row)
		mark_open(order, row, TURNED);
	else if (turned < order->opens)
		order->open[turned] &= (unsigned char)~TURNED;
	order->row[place] = (uint32_t)turned;
}

size_t order_above(const struct order *order, size_t place)
{
	uint32_t depth = order->depth[place];
	while (depth && order->depth[place] >= depth)
		place--;
	return place;
}
