/* Rows of a table on a screen: which columns fit, where they are, how their cells look. */
#ifndef UI_GRID_H
#define UI_GRID_H

#include "table/table.h"
#include "ui/canvas.h"

enum { GRID_COLUMNS = 24 }; /* more than any table has */

/* Which columns are shown, from left to right, for one width of the screen. */
struct grid {
	int count;
	struct {
		int column, x, width;
	} at[GRID_COLUMNS];
};

/* Leaves out the columns of the highest rank until the rest fits into `width`; the column without a
   width of its own takes what is left. */
void grid_fit(struct grid *grid, const struct rows *rows, int width);

/* The titles; the column that the rows are sorted by carries an arrow (sort -1: none). */
void grid_heads(const struct rows *rows, struct canvas *canvas, int y, int sort, bool descending);

void grid_row(const struct rows *rows, size_t row, struct canvas *canvas, int y);
/* The same with a text before what stands in the column without a width, which is moved to the
   right by as much. */
void grid_row_after(const struct rows *rows, size_t row, const char *before, struct canvas *canvas,
                    int y);

/* Numbers are right-aligned and sorted from the biggest down. */
bool grid_is_number(enum value_kind kind);

/* Does any cell of the row contain the text, whatever its case? */
bool grid_matches(const struct rows *rows, size_t row, const char *text);

/* Lines that say what each column means. */
void grid_explain(const struct table *table, struct buf *out);

#endif
