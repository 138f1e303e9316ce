/* The parts of the view "tree". Private to src/ui/views/tree*.c. */
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
	bool opening, prepared; /* does a task prepare what opens a row? has it? */
	size_t opens;           /* the place of that row */
	struct outline outline;
	size_t topmost; /* rows */
	bool icicle;    /* is it drawn above them? */
	struct grid grid;
	struct page empty; /* what is shown in place of rows: why there are none */
};

/* Opens the row at a place: at once, or after what has to be prepared. */
void tree_open_row(struct view *view, size_t place);
/* tree_commands.c: what the view does on its words. */
extern const char *const tree_words[];
bool tree_passes(const struct view *view, const char *word);
bool tree_command(struct view *view, const char *word, const char *argument, struct err *err);

#endif
