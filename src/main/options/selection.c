#include "main/options/selection.h"

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

/* Sorts rows, of which the first `limit` are needed; the table's default sort column is descending.
 */
static void sort_rows(const struct rows *rows, int column, bool descending, size_t limit,
                      struct selection *selection)
{
	if (column < 0 && rows->table->sort) {
		column = table_column(rows->table, rows->table->sort);
		descending = !descending;
	}
	if (column >= 0 && selection->row)
		rows_sort(rows, selection->row, selection->count, column, descending, NULL);
	else if (column >= 0)
		selection->row = rows_sorted_first(rows, column, descending, limit, NULL);
	else if (descending)
		selection_turn_round(rows, selection);
}

/* Returns how many rows are enough: at least one, which shows that rows match. */
static size_t selection_enough(const struct options *options)
{
	size_t limit = options->limit ? options->limit : 1;
	return limit < SIZE_MAX - options->skip ? limit + options->skip : SIZE_MAX;
}

struct selection selection_of_rows(const struct rows *rows, struct filter *filter, int column,
                                   const struct options *options, bool whole)
{
	struct selection selection = {.first = options->skip, .count = rows->count};
	bool descending = options->descending != options->reverse;
	bool sorted = column >= 0 || rows->table->sort || descending;
	size_t limit = sorted ? SIZE_MAX : selection_enough(options);
	if (filter)
		selection.row = rows_filtered(rows, filter, limit, &selection.count, NULL);
	sort_rows(rows, column, descending, whole ? SIZE_MAX : selection_enough(options), &selection);
	return selection;
}

/* Pushes rows in reverse order, so that the first is visited next. */
static void selection_walk_put(struct selection_walk *walk, size_t first, size_t count,
                               uint32_t depth)
{
	while (count--) {
		MEM_PUSH(walk->at, walk->count, walk->capacity,
		         (struct selection_next){(uint32_t)(first + count), depth});
	}
}

void selection_walk_start(struct selection_walk *walk, struct rows *rows)
{
	*walk = (struct selection_walk){.rows = rows};
	selection_walk_put(walk, 0, rows->count, 0);
}

bool selection_walk_next(struct selection_walk *walk, struct selection_next *next)
{
	if (!walk->count)
		return false;
	*next = walk->at[--walk->count];
	return true;
}

void selection_walk_below(struct selection_walk *walk, struct selection_next above)
{
	const struct table_tree *tree = walk->rows->table->tree;
	size_t first;
	if (tree->has_below(walk->rows, above.row)) {
		size_t below = tree->below(walk->rows, above.row, &first);
		selection_walk_put(walk, first, below, above.depth + 1);
	}
}

struct selection selection_of_tree(struct rows *rows, struct filter *filter,
                                   const struct options *options)
{
	struct selection selection = {.first = options->skip,
	                              .depth = mem_alloc(sizeof *selection.depth)};
	size_t limit = selection_enough(options);
	struct selection_walk walk;
	struct selection_next next;
	size_t capacity = 0;
	selection.row = mem_alloc(sizeof *selection.row);
	selection_walk_start(&walk, rows);
	while (selection.count < limit && selection_walk_next(&walk, &next)) {
		if (!filter || filter_matches(filter, rows, next.row)) {
			size_t same = capacity;
			selection.row =
				mem_grow(selection.row, selection.count, &capacity, sizeof *selection.row);
			selection.depth =
				mem_grow(selection.depth, selection.count, &same, sizeof *selection.depth);
			selection.row[selection.count] = next.row;
			selection.depth[selection.count++] = next.depth;
		}
		if (next.depth < options->depth)
			selection_walk_below(&walk, next);
	}
	free(walk.at);
	return selection;
}

void selection_fini(struct selection *selection)
{
	free(selection->row);
	free(selection->depth);
	*selection = (struct selection){0};
}
