#include "main/listing.h"

#include "base/mem.h"

#include <stdlib.h>

static void turn_round(const struct rows *rows, struct listing *listing)
{
	if (!listing->row) {
		listing->row = mem_alloc(rows->count * sizeof *listing->row);
		for (size_t i = 0; i < rows->count; i++)
			listing->row[i] = (uint32_t)i;
	}
	for (size_t i = 0, j = listing->count; i + 1 < j; i++) {
		uint32_t row = listing->row[--j];
		listing->row[j] = listing->row[i];
		listing->row[i] = row;
	}
}

/* Unasked, numbers are sorted from the largest down. */
static void sort_rows(const struct rows *rows, int column, bool descending, struct listing *listing)
{
	if (column < 0 && rows->table->sort) {
		column = table_column(rows->table, rows->table->sort);
		descending = !descending;
	}
	if (column >= 0 && listing->row)
		rows_sort(rows, listing->row, listing->count, column, descending, NULL);
	else if (column >= 0)
		listing->row = rows_sorted(rows, column, descending, NULL);
	else if (descending)
		turn_round(rows, listing);
}

struct listing listing_of_rows(const struct rows *rows, struct filter *filter, int column,
							   const struct options *options)
{
	struct listing listing = {.count = rows->count};
	bool descending = options->descending != options->reverse;
	bool sorted = column >= 0 || rows->table->sort || descending;
	size_t wanted = sorted ? SIZE_MAX : options->limit;
	if (filter)
		listing.row = rows_filtered(rows, filter, wanted, &listing.count, NULL);
	sort_rows(rows, column, descending, &listing);
	return listing;
}

/* Rows that are still to come; the last is the next. */
struct pile {
	struct pending_row { uint32_t row, depth; } *at;
	size_t count, capacity;
};

/* So that the first of them is the next. */
static void put(struct pile *pile, size_t first, size_t count, uint32_t depth)
{
	while (count--) {
		pile->at = mem_grow(pile->at, pile->count, &pile->capacity, sizeof *pile->at);
		pile->at[pile->count++] = (struct pending_row){(uint32_t)(first + count), depth};
	}
}

static void take(struct listing *listing, size_t *capacity, struct pending_row next)
{
	size_t same = *capacity;
	listing->row = mem_grow(listing->row, listing->count, capacity, sizeof *listing->row);
	listing->depth = mem_grow(listing->depth, listing->count, &same, sizeof *listing->depth);
	listing->row[listing->count] = next.row;
	listing->depth[listing->count++] = next.depth;
}

struct listing listing_of_tree(struct rows *rows, struct filter *filter, uint32_t depth,
							   size_t limit)
{
	struct listing listing = {.depth = mem_alloc(sizeof *listing.depth)};
	const struct table_tree *tree = rows->table->tree;
	struct pile pile = {0};
	size_t capacity = 0, first;
	listing.row = mem_alloc(sizeof *listing.row);
	put(&pile, 0, rows->count, 0);
	while (pile.count && listing.count < limit) {
		struct pending_row next = pile.at[--pile.count];
		if (!filter || filter_matches(filter, rows, next.row))
			take(&listing, &capacity, next);
		if (next.depth < depth && tree->has_below(rows, next.row)) {
			size_t below = tree->below(rows, next.row, &first);
			put(&pile, first, below, next.depth + 1);
		}
	}
	free(pile.at);
	return listing;
}

void listing_fini(struct listing *listing)
{
	free(listing->row);
	free(listing->depth);
	*listing = (struct listing){0};
}
