/* The view that stands in for another one until the analysis is far enough, or until that view has
   been loaded. */
#ifndef UI_PLACEHOLDER_H
#define UI_PLACEHOLDER_H

#include "ui/view_stack.h"

extern const struct view_ops placeholder_view;

/* Says for what it waits: what is to be opened, and the stages that this takes. */
void placeholder_for(struct view *placeholder, const struct location *location, unsigned stages);

/* What loads behind it. */
struct loading {
	struct view *view; /* not open yet; of the task until that has ended, then of who takes it */
	bool ended, loaded;
	struct err err; /* why it is not loaded; not set: it was cancelled */
};
/* Begins to load the view, which may have ended when this returns. */
void placeholder_load(struct view *placeholder, struct view *view);
struct loading *placeholder_loading(const struct view *placeholder); /* NULL: it waits for stages */

#endif
