/* The second pane of a wide screen: what Enter would open on the cursor's row, as tig and lazygit
   show it. It loads in the background, and nothing waits for it. */
#pragma once

#include "ui/view_stack.h"

struct pane {
	bool off;                /* the user does not want it */
	const struct view *of;   /* the view beside it: one of its rows has led somewhere */
	struct buf link;         /* the command that it shows, or will show */
	struct view_stack shown; /* at most one place */
	struct view_stack next;  /* replaces `shown` as soon as it is loaded */
};

/* Returns the columns of the current view: all of `width`, or those to the left of the pane and of
   the line between the two. */
int pane_left(struct explorer *explorer, int width);
/* Makes the pane follow the cursor. */
void pane_follow(struct explorer *explorer);
/* Takes up what has been loaded; with `news`, the analysis has finished another stage. */
void pane_refresh(struct explorer *explorer, bool news);
/* Returns the view to draw; NULL: the row leads nowhere, or it is not loaded yet. */
struct view *pane_view(struct explorer *explorer);
/* Closes the view of the pane, because its subject has changed. */
void pane_close(struct explorer *explorer);
