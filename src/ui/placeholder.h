/* The view that stands in for another one until the required stages are finished, or until that
   view is loaded. */
#ifndef UI_PLACEHOLDER_H
#define UI_PLACEHOLDER_H

#include "ui/view_stack.h"

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

#endif
