/* Where the user has been: places in the order of opening, one of them the present one. Opening a
   view forgets what was ahead. Views stay alive, so that cursor, scroll and order come back;
   those far away are closed to save memory and opened again on return. */
#ifndef UI_VIEW_STACK_H
#define UI_VIEW_STACK_H

#include "ui/view.h"

/* All that it takes to open a view again as it was. */
struct location {
	const struct view_ops *ops;
	char *argument;     /* NULL when there is none */
	struct buf words;   /* commands that the view has taken since, one a line, each after the row
	                       that the cursor was on */
	size_t cursor, top; /* as long as the view is closed */
	int left;
};
void location_copy(struct location *copy, const struct location *location); /* into an empty one */
void location_fini(struct location *location);

struct entry {
	struct location location;
	struct view *view; /* NULL: closed */
	bool stale;        /* the analysis has got further since the view last looked */
	unsigned lacked;   /* stages that would have made its rows say more, when it was opened */
};

struct view_stack {
	struct explorer *explorer;
	const struct analysis *analysis;
	struct entry *entries;
	size_t count, capacity, at; /* at < count once something is open */
};

void view_stack_init(struct view_stack *view_stack, struct explorer *explorer,
                     const struct analysis *analysis);
void view_stack_fini(struct view_stack *view_stack);

/* Opens a view after the present one, or a waiting view in its stead until the analysis is far
   enough. Only the fields that the location has matter. False: *err, and nothing has changed. */
bool view_stack_open(struct view_stack *view_stack, const struct location *location,
                     struct err *err);
/* Goes back (-1) or forward (1). False: there is nothing, or it does not open any more. */
bool view_stack_go(struct view_stack *view_stack, int step, struct err *err);
/* Opens what waited, if that is there; with `news`, the analysis has reached another stage. False:
   it does not open, we are where we came from. */
bool view_stack_refresh(struct view_stack *view_stack, bool news, struct err *err);

/* What views are about has changed: all are closed, and the present one is opened again. */
bool view_stack_reopen(struct view_stack *view_stack, struct err *err);

void view_close(struct view *view); /* with its tasks; NULL does nothing */
struct view *view_stack_view(const struct view_stack *view_stack); /* the open one */
bool view_stack_waits(const struct view_stack *view_stack);        /* is it a stand-in? */
/* What the present place is, with cursor and scroll as they are now; borrowed until the next
   call. */
const struct location *view_stack_here(struct view_stack *view_stack);
/* The present view has taken a command when its cursor was on a row: it will be given again when
   the view is reopened. */
void view_stack_note(struct view_stack *view_stack, size_t cursor, const char *word,
                     const char *argument);

#endif
