/* The state that the parts of the explorer share. Only .c files in src/ui itself include it;
   drivers and views use explorer.h. */
#pragma once

#include "table/notes/notes.h"
#include "ui/command.h"
#include "ui/explorer.h"
#include "ui/pane.h"
#include "ui/search.h"
#include "ui/tasks.h"
#include "ui/view_stack.h"

enum { MARKS = 53 }; /* a-z, A-Z, and ' for the start of the last jump */

/* What-if: the list of cuts, and the memory that they would free, which a task counts. */
struct what_if_list {
	struct buf cuts;                 /* arguments of the table what-if, separated by blanks */
	size_t kept;                     /* number of bytes to keep if the rest is malformed */
	struct explorer *explorer;       /* set by the first cut */
	const struct analysis *analysis; /* that the task counts in */
	/* Owned by the task until it ends. */
	struct rows *rows; /* rows of that table; NULL: *err says why */
	struct err err;
};

/* The last line that was typed at a prompt. */
struct repeat {
	char kind; /* one of line_kinds or 0 */
	struct buf line;
	bool runs, used; /* it runs; it has run since another line was typed */
};

/* What was there before a text that is searched for while it is typed; the text is "" if there is
   none. */
struct typed_search {
	struct buf text, needle;
	const struct view *view;
	size_t cursor, top;
	bool shown;
	int direction;
};

/* A file about the dump that a task writes. */
struct file_task {
	struct explorer *explorer;
	const struct analysis *analysis;
	file_maker *make;
	char *path; /* NULL: there is no task */
	struct buf format, about;
	struct buf told; /* see file_maker */
	struct err err;
};

/* The last view that an agent has opened. */
struct agent {
	struct buf command, reason;
	bool waits; /* it was not shown, as the person was occupied */
	size_t at;  /* its view in the history, until the person uses a key; 0: none */
};

struct explorer {
	const struct analysis *analysis; /* in the way of asking that all views have */
	struct explorer_host host;
	struct view_stack view_stack;
	struct pane pane;
	struct location marks[MARKS]; /* ops NULL: not set */
	struct tasks tasks;
	struct search search;
	/* set by the search task, which has exclusive use of the view meanwhile */
	enum search_state searched;
	struct typed_search typed;
	struct repeat repeat;
	struct what_if_list what_if_list;
	struct file_task file_task;
	struct buf tagged;        /* a set, as the table objects takes it */
	struct buf tagged_before; /* the one that was saved with the place */
	struct buf wants_set;     /* the command "set retain ..." that waits until the dump is read */
	struct notes notes;       /* those of the dump, as last read */
	unsigned notes_stages;    /* the stages that they were read after; 0: not read yet */
	unsigned seen;            /* stages of the analysis at the last refresh */
	bool seen_done, changed_told;
	int width, height; /* of the last canvas */
	bool quit;
	char wants_line; /* one of line_kinds or 0 */
	struct buf line; /* what explorer_key has collected of it */
	unsigned count;  /* for the next key, 0: none */
	bool hints;      /* the last bottom line had hints */
	struct own_key {
		char *name, *command;
	} * own_keys; /* bound by the user */
	size_t own_key_count, own_key_capacity;
	bool own_key_runs;     /* the command of one of them runs */
	bool sourcing;         /* a file of commands runs */
	bool tab;              /* the command of a tab's key runs */
	bool following;        /* the command follow runs */
	char key_begun;        /* the first press of a key that is pressed twice, or 0 */
	const char *wants_key; /* a command that waits for another key, or NULL */
	struct agent agent;
	struct buf notice; /* the bottom line without a message, until the next key */
	struct buf message;
	bool alarm; /* the message is an error */
};

/* Runs one command. False: *err, or no message. */
bool explorer_run(struct explorer *explorer, const char *word, const char *argument,
                  struct err *err);
/* Runs the last line that was typed at a prompt again. */
bool explorer_repeat(struct explorer *explorer, struct err *err);
/* Opens a view such as "list". */
bool explorer_show(struct explorer *explorer, const struct view_ops *ops, const char *argument,
                   struct err *err);
/* Opens a view with a filter. */
bool explorer_show_filtered(struct explorer *explorer, const struct view_ops *ops,
                            const char *argument, const char *filter, struct err *err);
/* Fills the place that the command of a link opens, such as "object 0xc000012340" or "objects;
   filter size = 64"; the caller frees it. False: the command opens no view. */
bool link_location(const struct buf *link, struct location *location);
/* Saves the current place as mark ', to return to from a jump within a view. */
void explorer_leave(struct explorer *explorer);
/* Returns the number of rows in the window, at least 1. */
size_t explorer_page(const struct explorer *explorer);
/* Returns the address of the object of the cursor's row or of the view, 0: none. */
uint64_t explorer_address(const struct explorer *explorer);

/* Control the search task. It pauses when the view is used, and continues where it was. */
void search_task_begin(struct explorer *explorer);
void search_task_rest(struct explorer *explorer);
void search_task_go_on(struct explorer *explorer);
/* Reports the result of a search that ended before it paused. True: there was one. */
bool search_task_tell(struct explorer *explorer);
void search_task_stop(struct explorer *explorer); /* ends the search */
/* Ends a search for what was typed: the cursor is where it was before. */
void search_task_untype(struct explorer *explorer);

/* Runs the commands of the config file, if there is one. What is wrong in it becomes the message.
 */
void config_load(struct explorer *explorer);
/* Binds a key to a command line in all views. */
void keys_bind(struct explorer *explorer, const char *key, const char *command);
/* Opens the view in which the explorer was left with this dump, and sets the marks and the tagged
   set of then. */
void place_restore(struct explorer *explorer);
/* Saves them. Failures are silent. */
void place_save(struct explorer *explorer);
/* Returns false if the tagged set is too long for that. */
bool place_keeps_tagged(const struct explorer *explorer);
void keys_fini(struct explorer *explorer);

/* Returns the mark of a row with a note: '!' for a leak, '=' expected, '?' open, '*' without a
   verdict; 0: there is no note. */
char note_mark(struct explorer *explorer, const struct view *view, size_t row);

/* Opens what an agent looks at, and says why; while `occupied`, the person keeps the view, and a
   key goes there. False: *err, and nothing has changed. */
bool agent_show(struct explorer *explorer, const char *line, const char *reason, bool occupied,
                struct err *err);
/* Takes note that the person has used a key. */
void agent_person(struct explorer *explorer);

bool marks_set(struct explorer *explorer, const char *name, struct err *err);
bool marks_jump(struct explorer *explorer, const char *name, struct err *err);

/* Gives up the file that is being written, if any. */
void file_task_stop(struct explorer *explorer);
void what_if_list_fini(struct what_if_list *what_if_list); /* its task must have ended */

/* Adds cuts ("0xc000012340>0xc000056780 main.cache"), and reports what they would free. */
bool what_if_list_add(struct explorer *explorer, const char *cuts, struct err *err);
/* Removes the last cut, or all. */
bool what_if_list_undo(struct explorer *explorer, bool all, struct err *err);

/* The lines of the parts of the screen; -1: the part does not fit. */
struct screen_layout {
	int head, tabs, title, body, body_height, rule, bottom;
};
struct screen_layout screen_layout(int height);
/* Returns the key whose hint is at a column of the bottom line; NULL: none. */
const struct key *screen_hint_at(struct explorer *explorer, int column);
/* Returns the key of the main view whose name is at a column of the tabs; NULL: none. */
const struct key *screen_tab_at(const struct explorer *explorer, int column);
