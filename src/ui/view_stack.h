/* The history of views: places in the order of opening, one of which is current. Opening a view
   discards the places after the current one. Views stay open, so that cursor, scroll position and
   order persist; distant ones are closed to save memory and reopened on return. */
#pragma once

#include "ui/view.h"

/* All data that is required to reopen a view as it was. */
struct location {
	const struct view_ops *ops;
	char *argument; /* NULL: none */
	/* commands that the view has run since, one per line, each after the number of the cursor's
	   row */
	struct buf words;
	unsigned stages;    /* required by those commands, beyond what the view requires */
	size_t cursor, top; /* while the view is closed */
	int left;
	bool resume; /* a tree that was left open elsewhere is shown as it was left */
};
void location_copy(struct location *copy, const struct location *location); /* into an empty one */
void location_fini(struct location *location);
/* Returns true if these are the same view of the same thing. NULL: no argument. */
bool location_is(const struct location *location, const struct view_ops *ops, const char *argument);

/* The view that stands in for another one until the required stages are finished, or until that
   view is loaded. */
extern const struct view_ops placeholder_view;

/* Sets what it waits for: the view to open, and the required stages. */
void placeholder_for(struct view *placeholder, const struct location *location, unsigned stages);

/* A view that loads in the background. */
struct loading {
	/* not open yet; owned by the task until it ends, then by the one who takes it */
	struct view *view;
	bool ended, loaded;
	struct err err; /* the reason of a failure; not set: cancelled */
};
/* Begins to load the view; loading may have ended on return. */
void placeholder_load(struct view *placeholder, struct view *view);
struct loading *placeholder_loading(const struct view *placeholder); /* NULL: waits for stages */

struct entry {
	struct location location;
	struct view *view; /* NULL: closed */
	bool stale;        /* the analysis has progressed since the view's last refresh */
	/* unfinished stages that would have added detail to its rows, when it was opened */
	unsigned lacked;
};

struct view_stack {
	struct explorer *explorer;
	const struct analysis *analysis;
	struct entry *entries;
	size_t count, capacity, at; /* at < count once a view is open */
	bool beside;                /* of the second pane: nothing waits for its views */
};

void view_stack_init(struct view_stack *view_stack, struct explorer *explorer,
                     const struct analysis *analysis);
void view_stack_fini(struct view_stack *view_stack);

/* Opens a view after the current one, or a placeholder until the required stages are finished. Uses
   only the fields of a location.
   False: *err, and nothing has changed. */
bool view_stack_open(struct view_stack *view_stack, const struct location *location,
                     struct err *err);
/* Goes back (-1) or forward (1). False: there is no view, or it cannot be reopened. */
bool view_stack_go(struct view_stack *view_stack, int step, struct err *err);
/* Opens what waited, if it is ready; with `news`, the analysis has finished another stage. False:
   it cannot be opened, and the previous place is current. */
bool view_stack_refresh(struct view_stack *view_stack, bool news, struct err *err);

/* Closes all views, because the dump is asked in another way, and reopens the current one. */
bool view_stack_reopen(struct view_stack *view_stack, const struct analysis *analysis,
                       struct err *err);

void view_close(struct view *view); /* also its tasks; accepts NULL */
struct view *view_stack_view(const struct view_stack *view_stack); /* returns the current view */
bool view_stack_waits(const struct view_stack *view_stack); /* true: a placeholder is current */
/* Returns the current place, with cursor and scroll position; borrowed until the next call. */
const struct location *view_stack_here(struct view_stack *view_stack);
/* Records a command that the current view has run with the cursor on a row: it is replayed when the
   view is reopened. */
void view_stack_note(struct view_stack *view_stack, size_t cursor, const char *word,
                     const char *argument);
