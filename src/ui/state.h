/* What the parts of the explorer share. Only the .c files of src/ui itself include it; drivers
   and views use explorer.h. */
#ifndef UI_STATE_H
#define UI_STATE_H

#include "ui/command.h"
#include "ui/explorer.h"
#include "ui/search.h"
#include "ui/tasks.h"
#include "ui/view_stack.h"
#include "ui/what_if_list.h"

enum { MARKS = 53 }; /* a-z, A-Z, and ' for where the last jump began */

struct explorer {
	struct analysis *analysis;
	struct explorer_host host;
	struct view_stack view_stack;
	struct location marks[MARKS]; /* ops NULL: not set */
	struct tasks tasks;
	struct search search;
	enum search_state searched; /* by its task, which has the view for itself meanwhile */
	struct what_if_list what_if_list;
	unsigned seen; /* stages of the analysis, by the last refresh */
	bool seen_done, changed_told;
	int width, height; /* of the last canvas */
	bool quit;
	char wants_line;       /* ':' '/' '&' '.' '=' or 0 */
	struct buf line;       /* what explorer_key has gathered of it */
	unsigned count;        /* for the next key, 0: none */
	bool hints;            /* the bottom line was drawn with hints */
	const char *wants_key; /* a command that waits for one more key, or NULL */
	struct buf message;
	bool alarm; /* the message tells of a failure */
};

/* Runs one command. False: *err, or nothing to say. */
bool explorer_run(struct explorer *explorer, const char *word, const char *argument,
                  struct err *err);
/* Opens "list" or any other view. */
bool explorer_show(struct explorer *explorer, const struct view_ops *ops, const char *argument,
                   struct err *err);
/* With only the rows for which the filter holds. */
bool explorer_show_filtered(struct explorer *explorer, const struct view_ops *ops,
                            const char *argument, const char *filter, struct err *err);
/* Remembers where we are under ', for the way back from a jump inside of a view. */
void explorer_leave(struct explorer *explorer);
/* Rows that the open view's window shows, at least 1. */
size_t explorer_page(const struct explorer *explorer);
/* The object that the cursor's row or the view is about, 0: none. */
uint64_t explorer_address(const struct explorer *explorer);

/* The search works beside the screen; it rests as soon as anybody else wants the view that is open,
   and goes on where it was. */
void search_task_begin(struct explorer *explorer);
void search_task_rest(struct explorer *explorer);
void search_task_go_on(struct explorer *explorer);
/* It may have come to its end just before it rested: tells what it has found. True: it has. */
bool search_task_tell(struct explorer *explorer);
void search_task_stop(struct explorer *explorer); /* for good */

bool marks_set(struct explorer *explorer, const char *name, struct err *err);
bool marks_jump(struct explorer *explorer, const char *name, struct err *err);

/* Where the parts of the screen are; y of what does not fit is -1. */
struct screen_layout {
	int head, tabs, title, body, body_height, rule, bottom;
};
struct screen_layout screen_layout(int height);
/* The key that the bottom line tells of at a column; NULL: none. */
const struct key *screen_hint_at(struct explorer *explorer, int column);
/* The main view whose name stands at a column of that line; NULL: none. */
const struct key *screen_tab_at(const struct explorer *explorer, int column);

#endif
