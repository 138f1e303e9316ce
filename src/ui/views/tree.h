/* The parts of the view "tree". Private to src/ui/views/tree*.c. */
#ifndef UI_VIEWS_TREE_H
#define UI_VIEWS_TREE_H

#include "analysis/job.h"
#include "table/table.h"
#include "ui/outline.h"
#include "ui/page_view.h"
#include "ui/table_loader.h"
#include "ui/view.h"

/* A row that is about to open, which takes long. */
struct preparation {
	struct job *job; /* NULL: none */
	const struct rows *rows;
	size_t place, row;
};

struct tree {
	const struct table *table;
	struct rows *rows;           /* NULL: still to come, or given up */
	struct table_loader *loader; /* of the rows, on their way; or NULL */
	struct preparation next;
	struct outline outline;
	size_t topmost;    /* rows */
	bool icicle;       /* is it drawn above them? */
	struct page empty; /* what is shown in place of rows: why there are none */
};

/* Opens the row at a place: at once, or after what has to be prepared. */
void tree_open_row(struct view *view, size_t place);
void tree_end_preparation(struct tree *tree);
/* Writes how far the work of the view is. */
void tree_set_side(struct view *view);

/* tree_commands.c: what the view does on its words. */
extern const char *const tree_words[];
bool tree_command(struct view *view, const char *word, const char *argument, struct err *err);

#endif
