/* Views: what fills the screen between the head and the bottom line. A view consists of rows that
   are drawn on demand; it does not depend on a terminal or on keys. Each is one file in
   src/ui/views that registers itself with PLUGIN(views, ...). */
#pragma once

#include "base/buf.h"
#include "base/err.h"
#include "base/plugin.h"
#include "table/query/filter.h"
#include "ui/canvas.h"
#include "ui/tasks.h"

struct analysis;

struct explorer;
struct report;
struct rows;
struct view;

/* Rows of lists that a view shows in part or not at all: a search covers them, too. */
struct view_more {
	size_t (*count)(const struct view *view);
	bool (*matches)(const struct view *view, size_t n, struct row_search *search);
	/* Appends the command that opens the list; returns the row number in it. */
	size_t (*link)(const struct view *view, size_t n, struct buf *command);
	/* Makes it a row of the view; returns its number. NULL: use `link`. */
	size_t (*reveal)(struct view *view, size_t n);
	/* Returns true if there are no other rows than those and the view's own. NULL: there are
	   none. */
	bool (*whole)(const struct view *view);
};

/* Kinds of commands that only some views have (ui/command.h). */
enum view_commands {
	COMMANDS_LIST = 1 << 0,
	COMMANDS_TREE = 1 << 1,
	COMMANDS_PATH = 1 << 2,
	COMMANDS_HEX = 1 << 3,
};

struct view_ops {
	unsigned rank;               /* order in help and manual, ascending */
	const char *name;            /* "overview", "object": the name of the command that opens it */
	const char *help;            /* a sentence */
	const char *argument;        /* "ADDR" or NULL */
	unsigned takes;              /* kinds of argument: enum takes (table/naming/takes.h) */
	const struct report *report; /* the report that it shows (report/report.h), or NULL */
	bool of_table;  /* shows a table: its argument is "TABLE [ARG]", its name is no command */
	unsigned parts; /* that the dump's format must have: enum format_part */
	unsigned needs; /* stages required to open it; the explorer shows what it waits for */
	/* Computes what takes long and fills view->data, in a task that owns the view until it ends.
	   False: *err, or cancelled. NULL: nothing takes long. */
	bool (*load)(struct view *view, struct progress *progress, struct err *err);
	/* Then fills view->data and view->title, in the main loop. False: *err, which becomes the
	   message of the status line. NULL: `load` does everything. */
	bool (*open)(struct view *view, struct err *err);
	/* Frees what view->data refers to, also after a failed `load` or `open`; data itself is freed
	   after it. NULL: nothing. */
	void (*close)(struct view *view);
	size_t (*rows)(const struct view *view);
	/* Draws lines above the rows that do not scroll (column heads). Returns their number; with
	   canvas NULL, draws nothing. NULL: none. */
	int (*head)(const struct view *view, struct canvas *canvas, int y);
	void (*draw)(const struct view *view, size_t row, struct canvas *canvas, int y);
	/* Returns true if the cursor can rest on the row. NULL: on every row. */
	bool (*selectable)(const struct view *view, size_t row);
	/* Appends the command of Enter on the row; nothing: no link. NULL: no links. */
	void (*link)(const struct view *view, size_t row, struct buf *command);
	/* Returns the address of the object of the row, or else of the view; 0: none. NULL: none. */
	uint64_t (*address)(const struct view *view, size_t row);
	/* Appends the type name of the row. NULL: the type of the object at `address`. */
	void (*type)(const struct view *view, size_t row, struct buf *out);
	/* Appends the holder of the row: table/table.h. NULL: the object at `address`. */
	void (*holder)(const struct view *view, size_t row, struct buf *out);
	/* Appends what `cut` removes on the row (table/paths/what_if_part.h); nothing, or NULL: what
	   `holder` appends. */
	void (*cut)(const struct view *view, size_t row, struct buf *out);
	unsigned commands; /* that only some views have: enum view_commands */
	/* Returns true if the view's own command has nothing to do now, so that the explorer's command
	   of that name runs. NULL: never. */
	bool (*passes)(const struct view *view, const char *word);
	/* Returns the table of the row, and its number there, or NULL. NULL: shows no table. */
	const struct rows *(*table_row)(const struct view *view, size_t row, size_t *number);
	/* Returns true if there are columns to the right of those drawn last; view->left is how many
	   are scrolled out. NULL: never. */
	bool (*wider)(const struct view *view);
	/* Appends the command of a click on the last line of its head. NULL: none. */
	void (*head_link)(const struct view *view, int x, struct buf *command);
	/* Returns true if the row matches a search. NULL: the explorer draws the row and searches its
	   text. */
	bool (*matches)(const struct view *view, size_t row, struct row_search *search);
	const struct view_more *more; /* NULL: the view shows everything */
	/* Updates the view after another stage of the analysis. NULL: nothing to do. */
	void (*refresh)(struct view *view);
	/* Returns true if a filter hides some rows. NULL: never. */
	bool (*filtered)(const struct view *view);
	/* Appends help for the ? screen: the meaning of each number. NULL: only `help`. */
	void (*explain)(const struct view *view, struct buf *out);
};

struct view {
	const struct view_ops *ops;
	struct explorer *explorer;
	const struct analysis *analysis;
	char *argument;     /* NULL: none */
	struct buf title;   /* left part of the line above the rows */
	struct buf side;    /* right part of that line, may be empty: "path 1 of 3" */
	size_t cursor, top; /* rows; maintained by the explorer, also across Backspace */
	int left;           /* columns scrolled out to the left */
	bool beside;        /* it stands in the second pane, and nothing waits for it */
	void *data;
};

/* Begins a task for a view: its `self` is the view, and it ends with the view. The view shows its
   old contents meanwhile. */
void view_begin(struct view *view, const struct task_kind *kind);
/* Cancels the view's tasks without calling `ended`. */
void view_drop(struct view *view);

/* view_at returns all views by number, NULL after the last, in the order of help and manual. Tables
   are views as well: "list" or, if their rows form a tree, "tree", with argument "TABLE [ARG]";
   every table name is a command that opens it. */
const struct view_ops *view_at(size_t number);
const struct view_ops *view_find(const char *name);
/* The functions that views of reports share. */
extern const struct view_ops view_report;

struct table;
/* Returns the view that shows a table. */
const struct view_ops *view_of_table(const struct table *table);
/* Returns the table that a view with this argument shows; NULL: none. */
const struct table *view_table_shown(const struct view_ops *ops, const char *argument);
