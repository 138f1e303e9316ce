/* Rows of a table on a screen: selection, position and style of columns. A text too long for its
   cell is shortened as in table/naming/shorten.h. */
#pragma once

#include "table/table.h"
#include "ui/canvas.h"

enum { GRID_COLUMNS = TABLE_COLUMNS_MOST };
enum { GRID_GAP = 2 }; /* between columns */

/* The layout of columns from left to right. Its owner keeps it while the rows are shown: text
   columns grow with the texts seen, and do not shrink while the user scrolls. Initialized with
   zeros. */
struct grid {
	int wanted[GRID_COLUMNS]; /* by column of the table: width of the longest text seen */
	int needed[GRID_COLUMNS]; /* by column: width needed with package names instead of paths */
	int named[GRID_COLUMNS];  /* by column: width that cuts no part of a name; 0: it is no name */
	int twin[GRID_COLUMNS];   /* by column: an earlier column with the same addresses; -1: none */
	/* by column: what the user wants of it, kept when the columns are laid out anew */
	enum grid_own { GRID_AS_FITS, GRID_HIDDEN, GRID_WIDE } own[GRID_COLUMNS];
	bool says[GRID_COLUMNS]; /* by column: a cell is not empty, 0 or "no" */
	int rows_seen;           /* 0, 1, or 2 for more */
	size_t row_seen;         /* the last one */
	int width;               /* of the screen */
	int left;                /* columns scrolled out; the column without a width never is */
	bool more;               /* some columns to the right are not shown */
	uint64_t heaviest;       /* the number of a full bar; 0: no bars */
	int count;
	struct {
		int column, x, width;
	} at[GRID_COLUMNS];
};

/* Forgets the rows seen, and keeps what the user wants. */
void grid_forget(struct grid *grid);
/* Takes into account a row that will be shown on a screen of that width, after `before` columns of
   other contents. */
void grid_see(struct grid *grid, const struct rows *rows, size_t row, int before, int width);
/* Lays out the columns, without the first `left`, and without those of the highest ranks until the
   rest fits into `width`; on a wide screen others follow one by one, unless all of their cells are
   empty, 0 or "no". Text columns share the remaining width, as far as they need it. */
void grid_fit(struct grid *grid, const struct rows *rows, int width, int left);
/* Returns a layout for rows, without an owner. */
struct grid grid_of(const struct rows *rows, size_t first, size_t count, int width);

/* Draws the titles; an arrow marks the column that the rows are sorted by (sort -1: none). */
void grid_heads(const struct grid *grid, const struct rows *rows, struct canvas *canvas, int y,
                int sort, bool descending);

void grid_row(const struct grid *grid, const struct rows *rows, size_t row, struct canvas *canvas,
              int y);
/* Like grid_row, with a text before the column without a width, which moves right. */
void grid_row_after(const struct grid *grid, const struct rows *rows, size_t row,
                    const char *before, struct canvas *canvas, int y);

/* Returns the number that a bar in a cell stands for: the weight of a row of a tree, a number of a
   column with bars; 0: no bar. */
uint64_t grid_bar(const struct rows *rows, size_t row, int column);
/* Returns the largest such number in the first `count` rows. */
uint64_t grid_heaviest(const struct rows *rows, size_t count);

/* Returns the column of the table at a column of the screen; -1: none. */
int grid_column_at(const struct grid *grid, int x);

/* Returns true for numbers: they are right-aligned and sorted in descending order. */
bool grid_is_number(enum value_kind kind);

/* Draws an icicle plot: each row of a tree table is a block, as wide as its share of the parent,
   one level per line. It begins with `count` rows from `first` on. With earlier dumps, colors show
   growth. Blocks too narrow to be visible are omitted. `marked` is a row whose block is
   highlighted. Creates the rows that it draws. */
void icicle_draw(struct rows *rows, size_t first, size_t count, size_t marked,
                 struct canvas *canvas, int y, int lines);

/* Appends lines that explain each column. */
void grid_explain(const struct rows *rows, struct buf *out);
