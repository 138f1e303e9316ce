/* Movement of the cursor and the window of a view over its rows. `page` is the number of rows in
   the window. The cursor rests on selectable rows only; if the window has none, it stays behind. */
#pragma once

#include "ui/view.h"

/* Move the cursor, and the window follows; or the window, and the cursor follows; or both. */
void scroll_step(struct view *view, size_t page, long steps);
void scroll_scroll(struct view *view, size_t page, long rows);
void scroll_page(struct view *view, size_t page, long rows);
/* Moves the cursor to a row, shown with context around it. */
void scroll_to(struct view *view, size_t page, size_t row);
void scroll_first(struct view *view, size_t page);
void scroll_last(struct view *view, size_t page);
/* Moves the cursor to a row of the window. */
void scroll_in_window(struct view *view, size_t page, size_t offset);
/* Moves cursor and window into the range of existing rows. */
void scroll_settle(struct view *view, size_t page);
