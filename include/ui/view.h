/* Views: what fills the screen between the head and the bottom line. A view is rows that are
   drawn on demand; it never sees a terminal or a key. One file a view in src/ui/views, which ends
   with PLUGIN(views, ...): there is no list of them elsewhere. */
#ifndef UI_VIEW_H
#define UI_VIEW_H

#include "analysis/analysis.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/plugin.h"
#include "table/filter.h"
#include "ui/canvas.h"
#include "ui/tasks.h"

struct explorer;
struct report;
struct rows;
struct view;

/* Rows of lists of which a view shows only the first, or none: they are searched behind its own. */
struct view_more {
	size_t (*count)(const struct view *view);
	bool (*matches)(const struct view *view, size_t n, struct row_search *search);
	/* Appends the command that opens the list; returns which of its rows it is. */
	size_t (*link)(const struct view *view, size_t n, struct buf *command);
	/* Makes it a row of the view; returns which. NULL: `link` leads to it. */
	size_t (*reveal)(struct view *view, size_t n);
};

struct view_ops {
	unsigned rank;        /* place in help and manual: those with a lower one come first */
	const char *name;     /* "overview", "object": what the command that opens it is called */
	const char *help;     /* a sentence */
	const char *argument; /* "ADDR" or NULL */
	const struct report *report; /* that it shows (report/report.h), or NULL */
	bool of_table;  /* shows a table: its argument is "TABLE [ARG]", its name no command */
	unsigned parts; /* that the dump's format must have: enum format_part */
	unsigned needs; /* opened only then; until then the explorer shows what it waits for */
	/* Finds what takes its time and fills view->data, in a task: the view is nobody else's until it
	   has ended. False: *err, or it was cancelled. NULL: nothing takes long. */
	bool (*load)(struct view *view, struct progress *progress, struct err *err);
	/* Then, in the loop: fills view->data, view->title. False: *err, which becomes the status
	   line's message. NULL: there is nothing to add to what has been loaded. */
	bool (*open)(struct view *view, struct err *err);
	void (*close)(struct view *view); /* of what `load` or `open` has left behind, too */
	size_t (*rows)(const struct view *view);
	/* Lines above the rows that do not scroll (column heads); returns how many it drew or, with
	   canvas NULL, would draw. NULL: none. */
	int (*head)(const struct view *view, struct canvas *canvas, int y);
	void (*draw)(const struct view *view, size_t row, struct canvas *canvas, int y);
	/* Can the cursor rest on this row? NULL: on every row. */
	bool (*selectable)(const struct view *view, size_t row);
	/* The command that Enter runs on this row; nothing appended: no link. NULL: no links. */
	void (*link)(const struct view *view, size_t row, struct buf *command);
	/* The object that this row (or, when it has none, this view) is about; 0: none. NULL: none. */
	uint64_t (*address)(const struct view *view, size_t row);
	/* Appends the name of the type that this row is about. NULL: that of the object at `address`.
	 */
	void (*type)(const struct view *view, size_t row, struct buf *out);
	/* Appends what holds things on this row: table/table.h. NULL: the object that `address` gives.
	 */
	void (*holder)(const struct view *view, size_t row, struct buf *out);
	/* Appends what `cut` takes away on this row (table/what_if_part.h); nothing, or NULL: what
	   `holder` gives. */
	void (*cut)(const struct view *view, size_t row, struct buf *out);
	/* A command word that this view understands (listed in view->ops->commands). Words that keys
	   are bound to: "sort COL" (the same again: the other direction), "sort-next",
	   "sort-previous", "reverse", "filter [EXPR]", "group", "next-path", "previous-path", "left",
	   "right". False: *err or nothing to say. */
	bool (*command)(struct view *view, const char *word, const char *argument, struct err *err);
	const char *const *commands; /* words that `command` takes, NULL at the end; or NULL */
	/* Has the command of its own nothing to do now? The explorer's of that name is run then. NULL:
	   it always has. */
	bool (*passes)(const struct view *view, const char *word);
	/* The table whose row it is, with *number its number there, or NULL. NULL: it shows none. */
	const struct rows *(*table_row)(const struct view *view, size_t row, size_t *number);
	/* Are there columns to the right of those that were drawn last? `left` of the view is how many
	   are scrolled out. NULL: nothing is that wide. */
	bool (*wider)(const struct view *view);
	/* Appends the command of a click on the lowest line of its head. NULL: there is none. */
	void (*head_link)(const struct view *view, int x, struct buf *command);
	/* Does the row match a search? NULL: the explorer draws the row and looks into its text. */
	bool (*matches)(const struct view *view, size_t row, struct row_search *search);
	const struct view_more *more; /* NULL: it shows all that it is about */
	/* The analysis has reached another stage: take up what it brings. NULL: nothing to do. */
	void (*refresh)(struct view *view);
	/* Does it show only the rows that its command "filter" was given an expression for? NULL: no.
	 */
	bool (*filtered)(const struct view *view);
	/* Help for the ? screen: what each number here means. Appends lines. NULL: only `help`. */
	void (*explain)(const struct view *view, struct buf *out);
};

struct view {
	const struct view_ops *ops;
	struct explorer *explorer;
	const struct analysis *analysis;
	char *argument;     /* NULL when there is none */
	struct buf title;   /* left part of the line above the rows */
	struct buf side;    /* right part of that line, may be empty: "way 1 of 3" */
	size_t cursor, top; /* rows; kept by the explorer, also across Backspace */
	int left;           /* columns that are scrolled out to the left */
	void *data;
};

/* Begins a task for an open view: its `self` is the view, and it ends with the view. What the view
   shows meanwhile it shows as it was. */
void view_begin(struct view *view, const struct task_kind *kind);
/* Ends the view's tasks without a word: something else is wanted of it. */
void view_drop(struct view *view);

/* All views by number, NULL behind the last, in the order of help and manual. Tables are views as
   well: "list" or, when their rows are a tree, "tree", with argument "TABLE [ARG]"; every table
   name is a command that opens it. */
const struct view_ops *view_at(size_t number);
const struct view_ops *view_find(const char *name);
/* What the views of all reports have in common. */
extern const struct view_ops view_report;

struct table;
/* The view that shows a table. */
const struct view_ops *view_of_table(const struct table *table);
/* The table that a view with this argument shows; NULL: none. */
const struct table *view_table_shown(const struct view_ops *ops, const char *argument);

#endif
