/* The view that stands in for another one until the analysis is far enough. */
#ifndef UI_PLACEHOLDER_H
#define UI_PLACEHOLDER_H

#include "ui/view.h"

extern const struct view_ops placeholder_view;

/* Says for what it waits: the command that opens the view, and the stages. */
void placeholder_for(struct view *view, const char *name, const char *argument, unsigned stages);

/* Appends how far the analysis is, "finding references 34%"; nothing when it is done. */
void placeholder_progress(const struct analysis *analysis, struct buf *out);
/* The same as a share of the present step, 0 ... 1; negative: unknown. */
double placeholder_share(const struct analysis *analysis);

#endif
