/* Rows of a table on a screen: which columns fit, where they are, how their cells look. What is too
   long for its cell becomes shorter as ui/shorten.h says. */
#ifndef UI_GRID_H
#define UI_GRID_H

#include "table/table.h"
#include "ui/canvas.h"

enum { GRID_COLUMNS = 24 }; /* more than any table has */
enum { GRID_GAP = 2 };      /* between columns */

/* How rows of a table lie on the screen: which columns are shown, from left to right. Whoever shows
   rows keeps one as long as it shows them: columns of text grow to what has been seen in them, and
   do not become narrower while somebody scrolls. Starts with all 0. */
struct grid {
	int wanted[GRID_COLUMNS]; /* by the table's column: what its longest text seen takes */
	int needed[GRID_COLUMNS]; /* ... when packages are called by their names only */
	int twin[GRID_COLUMNS];   /* a column before it that has the same addresses; -1: none has */
	int rows_seen;            /* 0, 1, or 2 for more */
	size_t row_seen;          /* the last one */
	int width;                /* of the screen that it fits */
	int left;                 /* columns that are scrolled out, the one without a width is never */
	bool more;                /* are there columns that are not shown, to the right of others? */
	int count;
	struct {
		int column, x, width;
	} at[GRID_COLUMNS];
};

/* Takes notice of a row that will be shown on a screen of that width, after `before` columns of
   something else. */
void grid_see(struct grid *grid, const struct rows *rows, size_t row, int before, int width);
/* Lays the columns out: without `left` of them, and leaving out those of the highest rank until the
   rest fits into `width`. Columns of text share what is left over, as long as they need it. */
void grid_fit(struct grid *grid, const struct rows *rows, int width, int left);
/* For rows that nobody keeps a grid for. */
struct grid grid_of(const struct rows *rows, size_t first, size_t count, int width);

/* The titles; the column that the rows are sorted by carries an arrow (sort -1: none). */
void grid_heads(const struct grid *grid, const struct rows *rows, struct canvas *canvas, int y,
                int sort, bool descending);

void grid_row(const struct grid *grid, const struct rows *rows, size_t row, struct canvas *canvas,
              int y);
/* The same with a text before what stands in the column without a width, which is moved to the
   right by as much. */
void grid_row_after(const struct grid *grid, const struct rows *rows, size_t row,
                    const char *before, struct canvas *canvas, int y);

/* The table's column whose title or cells are at a column of the screen; -1: none. */
int grid_column_at(const struct grid *grid, int x);

/* Numbers are right-aligned and sorted from the biggest down. */
bool grid_is_number(enum value_kind kind);

/* Lines that say what each column means. */
void grid_explain(const struct table *table, struct buf *out);

#endif
