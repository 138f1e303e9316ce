/* The distribution of the screen width among columns. */
#include "ui/grid.h"

#include "base/text.h"
#include "table/naming/shorten.h"

#include <string.h>

enum {
	MARGIN = 1,      /* before the first column */
	NARROW = 80,     /* a wider screen shows additional columns only if texts are not truncated */
	REST_LEAST = 28, /* for the column without a width, before columns of a higher rank are shown */
	REST_MOST = 72,  /* limits the distance to the columns after it */
	WORDS = 12,      /* narrower texts are single words and keep their width */
	WHOLE_MOST = 100, /* longer texts are truncated rather than columns omitted for them */
	NAME_SHORT = 18,  /* a text up to this width is not cut where columns can be omitted */
	NAME_MOST = 40,   /* columns are not omitted for more of a name than this */
	COMMON_RANK = 4,  /* added to the rank of columns that are equal in all rows */
};

enum { TWIN_NONE = -1 };

static bool grid_is_text(const struct column *column)
{
	return column->kind == VALUE_TEXT || column->kind == VALUE_LIST;
}

static int grid_least(const struct column *column)
{
	return column->width ? column->width : REST_LEAST;
}

static int most_of(int a, int b)
{
	return a > b ? a : b;
}

/* Returns the width at which all texts of a column are readable. */
static int grid_readable(const struct grid *grid, const struct column *columns, int i)
{
	const struct column *column = &columns[i];
	if (!grid_is_text(column) || !grid->wanted[i])
		return grid_least(column);
	int needed = grid->needed[i] < WHOLE_MOST ? grid->needed[i] : WHOLE_MOST;
	return most_of(column->width < WORDS ? column->width : 0,
	               most_of(needed, text_columns(column->title) + 1 /* the arrow */));
}

static bool grid_has_column(const struct grid *grid, const struct rows *rows, int i)
{
	return i < GRID_COLUMNS && !rows_column_hidden(rows, i) && grid->own[i] != GRID_HIDDEN
	       && (grid->rows_seen < 2 || grid->twin[i] == TWIN_NONE || grid->own[i] == GRID_WIDE);
}

static int grid_rank(const struct grid *grid, const struct rows *rows, int i)
{
	const struct column *column = &rows->table->columns[i];
	if ((i < GRID_COLUMNS && grid->own[i] == GRID_WIDE)
	    || (rows->table->tree && i == rows_weight_column(rows)))
		return 0;
	return column->rank + (rows->alike && column->common ? COMMON_RANK : 0);
}

/* Returns the highest rank such that all columns up to it fit; at least `lowest`. */
static int rank_that_fits(const struct grid *grid, const struct rows *rows, int width,
                          bool readable, int lowest)
{
	const struct table *table = rows->table;
	int highest = 0;
	for (int i = 0; i < table->column_count; i++)
		highest = most_of(highest, grid_rank(grid, rows, i));
	for (; highest > lowest; highest--) {
		int need = MARGIN - GRID_GAP;
		for (int i = 0; i < table->column_count; i++)
			if (grid_rank(grid, rows, i) <= highest && grid_has_column(grid, rows, i))
				need += (readable ? grid_readable(grid, table->columns, i)
				                  : grid_least(&table->columns[i]))
				        + GRID_GAP;
		if (need <= width)
			break;
	}
	return highest;
}

/* Returns the width that a shown column has before the rest is shared: an empty one that of its
   title, one of numbers that of those seen. */
static int grid_first_width(const struct grid *grid, const struct column *columns, int i)
{
	int least = grid_least(&columns[i]), readable = grid_readable(grid, columns, i);
	if (grid->own[i] == GRID_WIDE)
		return most_of(text_columns(columns[i].title) + 1,
		               most_of(grid->wanted[i], grid->needed[i]));
	if (grid->rows_seen && !grid->wanted[i])
		readable = most_of(text_columns(columns[i].title) + 1,
		                   grid_is_text(&columns[i]) ? 0 : grid->needed[i]);
	return readable < least ? readable : least;
}

/* Returns the width that a column takes at least beside names that are whole. */
static int grid_beside_names(const struct grid *grid, const struct column *columns, int i)
{
	int least = grid_first_width(grid, columns, i);
	if (grid->named[i] && grid->own[i] != GRID_WIDE)
		return grid->named[i];
	return grid_is_text(&columns[i]) && least > WORDS ? WORDS : least;
}

/* Returns the highest rank, up to `rank`, that leaves room for the names of the rows; `rank` if
   there is none. */
static int rank_for_names(const struct grid *grid, const struct rows *rows, int rank)
{
	const struct column *columns = rows->table->columns;
	for (int lower = rank; lower >= 0; lower--) {
		int need = MARGIN - GRID_GAP;
		for (int i = 0; i < rows->table->column_count; i++)
			if (grid_rank(grid, rows, i) <= lower && grid_has_column(grid, rows, i))
				need += grid_beside_names(grid, columns, i) + GRID_GAP;
		if (need <= grid->width)
			return lower;
	}
	return rank;
}

/* ---- Contents of rows */

/* Returns the column with the same address in the first row, before column i; other rows may
   differ. */
static int grid_first_twin(const struct column *columns, const struct buf cell[], int i)
{
	for (int other = 0; other < i && columns[i].rank > 0; other++)
		if (columns[i].kind == VALUE_ADDRESS && columns[other].kind == VALUE_ADDRESS && cell[i].len
		    && columns[other].rank <= columns[i].rank
		    && strcmp(buf_text(&cell[i]), buf_text(&cell[other])) == 0)
			return other;
	return TWIN_NONE;
}

static void grid_see_name(struct grid *grid, const char *text, int before, int i)
{
	int columns = text_columns(text);
	if (before + columns <= grid->named[i])
		return;
	if (columns > NAME_SHORT)
		columns = shorten_least(text, columns < NAME_MOST ? columns : NAME_MOST);
	columns += before;
	if (columns > grid->named[i])
		grid->named[i] = columns < NAME_MOST ? columns : NAME_MOST;
}

static void grid_see_text(struct grid *grid, const struct column *column, const char *text,
                          int before, int i)
{
	SCOPED_BUF shorter = {0};
	int columns = (column->width ? 0 : before) + text_columns(text);
	grid->wanted[i] = most_of(grid->wanted[i], columns);
	if (columns > grid->needed[i]) {
		shorten_paths(text, &shorter);
		columns += text_columns(buf_text(&shorter)) - text_columns(text);
		grid->needed[i] = most_of(grid->needed[i], columns);
	}
	if (!column->rank && !column->cut_end)
		grid_see_name(grid, text, column->width ? 0 : before, i);
}

void grid_forget(struct grid *grid)
{
	struct grid none = {0};
	memcpy(none.own, grid->own, sizeof none.own);
	*grid = none;
}

/* Returns true for a cell that says more than that there is nothing of a kind. */
static bool grid_cell_says(const char *cell)
{
	static const char *const nothing[] = {"", "0", "0 B", "0 ns", "0.0%", "no"};
	for (size_t i = 0; i < sizeof nothing / sizeof *nothing; i++)
		if (strcmp(cell, nothing[i]) == 0)
			return false;
	return true;
}

void grid_see(struct grid *grid, const struct rows *rows, size_t row, int before, int width)
{
	const struct table *table = rows->table;
	struct buf cell[GRID_COLUMNS] = {0};
	int count = table->column_count < GRID_COLUMNS ? table->column_count : GRID_COLUMNS;
	int rank = rank_that_fits(grid, rows, width, false, 0) + (width > NARROW);
	for (int i = 0; i < count; i++) {
		bool shown = grid->left > 0 || grid_rank(grid, rows, i) <= rank;
		if (shown && !rows_column_hidden(rows, i))
			rows_text(rows, row, i, &cell[i]);
		if (cell[i].len && grid_is_text(&table->columns[i]))
			grid_see_text(grid, &table->columns[i], buf_text(&cell[i]), before, i);
		else
			grid->needed[i] = most_of(grid->needed[i], text_columns(buf_text(&cell[i])));
		grid->says[i] = grid->says[i] || grid_cell_says(buf_text(&cell[i]));
	}
	for (int i = 0; i < count; i++)
		if (!grid->rows_seen)
			grid->twin[i] = grid_first_twin(table->columns, cell, i);
		else if (grid->twin[i] != TWIN_NONE
		         && strcmp(buf_text(&cell[i]), buf_text(&cell[grid->twin[i]])) != 0)
			grid->twin[i] = TWIN_NONE;
	if (!grid->rows_seen || row != grid->row_seen)
		grid->rows_seen += grid->rows_seen < 2;
	grid->row_seen = row;
	for (int i = 0; i < count; i++)
		buf_free(&cell[i]);
}

/* ---- Selection and width of columns */

/* Chooses further columns in the order of their ranks as long as all are readable. */
static void grid_choose_more(const struct grid *grid, const struct rows *rows, int rank,
                             bool chosen[])
{
	const struct table *table = rows->table;
	int highest = rank, need = MARGIN - GRID_GAP;
	for (int i = 0; i < table->column_count && i < GRID_COLUMNS; i++) {
		highest = most_of(highest, grid_rank(grid, rows, i));
		if (chosen[i] && grid_has_column(grid, rows, i))
			need += grid_readable(grid, table->columns, i) + GRID_GAP;
	}
	while (rank++ < highest)
		for (int i = 0; i < table->column_count && i < GRID_COLUMNS; i++) {
			int more = grid_readable(grid, table->columns, i) + GRID_GAP;
			if (grid_rank(grid, rows, i) != rank || !grid_has_column(grid, rows, i)
			    || (grid->rows_seen > 1 && !grid->says[i] && !rows_column_waits(rows, i))
			    || need + more > grid->width)
				continue;
			chosen[i] = true;
			need += more;
		}
}

/* Selects columns by rank; or, if scrolled, all but the first `left` that fit. */
static void grid_choose(struct grid *grid, const struct rows *rows)
{
	const struct table *table = rows->table;
	int rank = rank_that_fits(grid, rows, grid->width < NARROW ? grid->width : NARROW, false, 0);
	int skip = grid->left, used = MARGIN - GRID_GAP;
	bool chosen[GRID_COLUMNS] = {0};
	rank = rank_for_names(grid, rows, rank);
	for (int i = 0; i < table->column_count && i < GRID_COLUMNS; i++)
		chosen[i] = grid_rank(grid, rows, i) <= rank;
	if (grid->width > NARROW)
		grid_choose_more(grid, rows, rank, chosen);
	bool full = false;
	for (int i = 0; i < table->column_count; i++)
		if (!table->columns[i].width && chosen[i])
			used += REST_LEAST + GRID_GAP;
	grid->count = 0;
	grid->more = false;
	for (int i = 0; i < table->column_count && grid->count < GRID_COLUMNS; i++) {
		const struct column *column = &table->columns[i];
		if (!grid_has_column(grid, rows, i) || (column->width && skip-- > 0))
			continue;
		int more = column->width ? column->width + GRID_GAP : 0;
		bool fits = grid->left ? !full && used + more <= grid->width : chosen[i];
		if (!fits && (column->width || !chosen[i])) {
			full = grid->more = true;
			continue;
		}
		used += more;
		grid->at[grid->count++].column = i;
	}
}

/* Repeatedly widens the narrowest column, of texts or of numbers, that needs more; returns the
   width that remains. */
static int grid_share(struct grid *grid, const struct column *columns, bool texts,
                      const int wanted[], int spare)
{
	while (spare > 0) {
		int least = -1;
		for (int i = 0; i < grid->count; i++)
			if (grid_is_text(&columns[grid->at[i].column]) == texts
			    && grid->at[i].width < wanted[grid->at[i].column]
			    && (least < 0 || grid->at[i].width < grid->at[least].width))
				least = i;
		if (least < 0)
			break;
		grid->at[least].width++;
		spare--;
	}
	return spare;
}

/* Returns true if a column may become narrower for the one without a width. */
static bool grid_yields(const struct grid *grid, const struct column *columns, int i)
{
	const struct column *column = &columns[grid->at[i].column];
	return column->width && grid_is_text(column) && grid->at[i].width > WORDS
	       && grid->own[grid->at[i].column] != GRID_WIDE
	       && (grid->width < NARROW || column->rank > 0);
}

/* Narrows the widest texts until the column without a width is readable: on a narrow screen all of
   it where it is the first, which names the rows, else a word; on others only columns
   that could be left out, until no part of a name is cut. Returns the columns that remain, or that
   are still missing (< 0). */
static int grid_narrow(struct grid *grid, const struct column *columns, int rest, int spare)
{
	if (rest < 0)
		return spare;
	int width = grid->at[rest].width, least = grid->at[rest].column ? WORDS : width;
	if (grid->width >= NARROW)
		least = grid->named[grid->at[rest].column];
	while (width + spare < least) {
		int widest = -1;
		for (int i = 0; i < grid->count; i++)
			if (grid_yields(grid, columns, i)
			    && (widest < 0 || grid->at[i].width > grid->at[widest].width))
				widest = i;
		if (widest < 0)
			break;
		grid->at[widest].width--;
		spare++;
	}
	return spare;
}

/* Gives spare columns to text columns that were narrowed, then to the one without a width. */
static void grid_fill(struct grid *grid, const struct column *columns, int rest, int spare)
{
	int least[GRID_COLUMNS] = {0};
	for (int i = 0; i < grid->count; i++)
		least[grid->at[i].column] = grid_least(&columns[grid->at[i].column]);
	spare = grid_narrow(grid, columns, rest, spare);
	if (grid->width >= NARROW)
		spare = grid_share(grid, columns, true, grid->named, spare);
	spare = grid_share(grid, columns, true, grid->needed, spare);
	spare = grid_share(grid, columns, false, least, spare);
	spare = grid_share(grid, columns, true, grid->wanted, spare);
	spare = grid_share(grid, columns, true, least, spare);
	if (rest < 0 || (grid->own[grid->at[rest].column] == GRID_WIDE && spare < 0))
		return;
	int width = grid->at[rest].width;
	int most = most_of(most_of(grid->width * 2 / 5, REST_MOST), width);
	width += spare;
	if (rest + 1 < grid->count && width > most)
		width = most;
	grid->at[rest].width = most_of(width, 1);
}

void grid_fit(struct grid *grid, const struct rows *rows, int width, int left)
{
	const struct column *columns = rows->table->columns;
	int used = MARGIN - GRID_GAP, rest = -1;
	grid->width = width;
	grid->left = left;
	grid_choose(grid, rows);
	for (int i = 0; i < grid->count; i++) {
		int column = grid->at[i].column;
		grid->at[i].width = grid_first_width(grid, columns, column);
		used += grid->at[i].width + GRID_GAP;
		if (!columns[column].width)
			rest = i;
	}
	grid_fill(grid, columns, rest, width - used);
	for (int i = 0, x = MARGIN; i < grid->count; i++) {
		grid->at[i].x = x;
		x += grid->at[i].width + GRID_GAP;
	}
}

struct grid grid_of(const struct rows *rows, size_t first, size_t count, int width)
{
	struct grid grid = {0};
	for (size_t row = first; row < first + count && row < rows->count; row++)
		grid_see(&grid, rows, row, 0, width);
	grid_fit(&grid, rows, width, 0);
	return grid;
}

int grid_column_at(const struct grid *grid, int x)
{
	for (int i = 0; i < grid->count; i++)
		if (x >= grid->at[i].x && x < grid->at[i].x + grid->at[i].width)
			return grid->at[i].column;
	return -1;
}
