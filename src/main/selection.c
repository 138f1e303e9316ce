#include "main/selection.h"

#include "base/mem.h"

#include <stdlib.h>

static void selection_turn_round(const struct rows *rows, struct selection *selection)
{
	if (!selection->row) {
		selection->row = mem_alloc(rows->count * sizeof *selection->row);
		for (size_t i = 0; i < rows->count; i++)
			selection->row[i] = (uint32_t)i;
	}
	for (size_t i = 0, j = selection->count; i + 1 < j; i++) {
		uint32_t row = selection->row[--j];
		selection->row[j] = selection->row[i];
		selection->row[i] = row;
	}
}

/* Unasked, numbers are sorted from the largest down. */
static void sort_rows(const struct rows *rows, int column, bool descending,
                      struct selection *selection)
{
	if (column < 0 && rows->table->sort) {
		column = table_column(rows->table, rows->table->sort);
		descending = !descending;
	}
	if (column >= 0 && selection->row)
		rows_sort(rows, selection->row, selection->count, column, descending, NULL);
	else if (column >= 0)
		selection->row = rows_sorted(rows, column, descending, NULL);
	else if (descending)
		selection_turn_round(rows, selection);
}

struct selection selection_of_rows(const struct rows *rows, struct filter *filter, int column,
                                   const struct options *options)
{
	struct selection selection = {.count = rows->count};
	bool descending = options->descending != options->reverse;
	bool sorted = column >= 0 || rows->table->sort || descending;
	size_t wanted = sorted ? SIZE_MAX : options->limit;
	if (filter)
		selection.row = rows_filtered(rows, filter, wanted, &selection.count, NULL);
	sort_rows(rows, column, descending, &selection);
	return selection;
}

/* Rows that are still to come; the last is the next. */
struct row_stack {
	struct pending_row {
		uint32_t row, depth;
	} * at;
	size_t count, capacity;
};

/* So that the first of them is the next. */
static void selection_put(struct row_stack *row_stack, size_t first, size_t count, uint32_t depth)
{
	while (count--) {
		row_stack->at =
			mem_grow(row_stack->at, row_stack->count, &row_stack->capacity, sizeof *row_stack->at);
		row_stack->at[row_stack->count++] = (struct pending_row){(uint32_t)(first + count), depth};
	}
}

static void selection_take(struct selection *selection, size_t *capacity, struct pending_row next)
{
	size_t same = *capacity;
	selection->row = mem_grow(selection->row, selection->count, capacity, sizeof *selection->row);
	selection->depth =
		mem_grow(selection->depth, selection->count, &same, sizeof *selection->depth);
	selection->row[selection->count] = next.row;
	selection->depth[selection->count++] = next.depth;
}

struct selection selection_of_tree(struct rows *rows, struct filter *filter, uint32_t depth,
                                   size_t limit)
{
	struct selection selection = {.depth = mem_alloc(sizeof *selection.depth)};
	const struct table_tree *tree = rows->table->tree;
	struct row_stack row_stack = {0};
	size_t capacity = 0, first;
	selection.row = mem_alloc(sizeof *selection.row);
	selection_put(&row_stack, 0, rows->count, 0);
	while (row_stack.count && selection.count < limit) {
		struct pending_row next = row_stack.at[--row_stack.count];
		if (!filter || filter_matches(filter, rows, next.row))
			selection_take(&selection, &capacity, next);
		if (next.depth < depth && tree->has_below(rows, next.row)) {
			size_t below = tree->below(rows, next.row, &first);
			selection_put(&row_stack, first, below, next.depth + 1);
		}
	}
	free(row_stack.at);
	return selection;
}

void selection_fini(struct selection *selection)
{
	free(selection->row);
	free(selection->depth);
	*selection = (struct selection){0};
}
