/* The lines of an object's page that tell what it retains and what holds it alone. */
#ifndef UI_RETAINED_LINES_H
#define UI_RETAINED_LINES_H

#include "ui/page_view.h"

/* Nothing as long as it is not known, and for what no root leads to. */
void retained_lines(struct page *page, const struct analysis *analysis, uint32_t object);

#endif
