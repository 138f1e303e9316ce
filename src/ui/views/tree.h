/* The parts of the view "tree"; private to src/ui/views/tree*.c. */
#ifndef UI_VIEWS_TREE_H
#define UI_VIEWS_TREE_H

#include "table/table.h"
#include "ui/grid.h"
#include "ui/outline.h"
#include "ui/page_view.h"
#include "ui/view.h"

struct tree {
	const struct table *table;
	struct rows *rows;
	bool opening, prepared; /* a task prepares a row to open; it has succeeded */
	size_t opens;           /* the place of that row */
	struct outline outline;
	size_t topmost; /* number of topmost rows */
	bool icicle;    /* true: drawn above the rows */
	struct grid grid;
	struct page empty; /* shown instead of rows: why there are none */
};

/* Opens the row at a place, at once or after its preparation in a task. */
void tree_open_row(struct view *view, size_t place);
/* tree_commands.c: the commands of the view. */
bool tree_passes(const struct view *view, const char *word);

#endif
