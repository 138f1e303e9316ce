/* Where the user has been: places in the order of opening, one of them the present one. Opening a
   view forgets what was ahead. Views stay alive, so that cursor, scroll and order come back;
   those far away are closed to save memory and opened again on return. */
#ifndef UI_HISTORY_H
#define UI_HISTORY_H

#include "ui/view.h"

/* All that it takes to open a view again as it was. */
struct spot {
	const struct view_ops *ops;
	char *argument;      /* NULL when there is none */
	struct buf words;    /* commands that the view has taken since, one a line, each after the row
	                        that the cursor was on */
	size_t cursor, top;  /* as long as the view is closed */
	int left;
};
void spot_copy(struct spot *copy, const struct spot *spot); /* into an empty one */
void spot_fini(struct spot *spot);

struct place {
	struct spot spot;
	struct view *view;   /* NULL: closed */
	bool stale;          /* the analysis has got further since the view last looked */
};

struct history {
	struct explorer *explorer;
	const struct analysis *analysis;
	struct place *places;
	size_t count, capacity, at; /* at < count once something is open */
};

void history_init(struct history *history, struct explorer *explorer,
                  const struct analysis *analysis);
void history_fini(struct history *history);

/* Opens a view after the present one, or a waiting view in its stead until the analysis is far
   enough. Only the fields that the spot has matter. False: *err, and nothing has changed. */
bool history_open(struct history *history, const struct spot *spot, struct err *err);
/* Goes back (-1) or forward (1). False: there is nothing, or it does not open any more. */
bool history_go(struct history *history, int step, struct err *err);
/* The analysis has reached another stage. Opens what waited; false: it does not open, we are
   where we came from. */
bool history_refresh(struct history *history, struct err *err);

/* What views are about has changed: all are closed, and the present one is opened again. */
bool history_reopen(struct history *history, struct err *err);

struct view *history_view(const struct history *history);     /* the open one */
bool history_waits(const struct history *history);            /* is it a stand-in? */
/* What the present place is, with cursor and scroll as they are now; borrowed until the next
   call. */
const struct spot *history_here(struct history *history);
/* The present view has taken a command when its cursor was on a row: it will be given again when
   the view is reopened. */
void history_note(struct history *history, size_t cursor, const char *word, const char *argument);

#endif
