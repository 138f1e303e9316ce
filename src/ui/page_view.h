/* Pages (report/page.h) on the screen: their lines are the rows of a view. */
#pragma once

#include "report/page.h"
#include "ui/view.h"

void page_draw(const struct page *page, size_t line, struct canvas *canvas, int y);
size_t page_first_link(const struct page *page); /* returns the first line with a link, else 0 */

/* Operations for views whose data begins with a struct page. */
size_t page_view_rows(const struct view *view);
void page_view_draw(const struct view *view, size_t row, struct canvas *canvas, int y);
bool page_view_selectable(const struct view *view, size_t row);
void page_view_link(const struct view *view, size_t row, struct buf *command);
uint64_t page_view_address(const struct view *view, size_t row);
const struct rows *page_view_table_row(const struct view *view, size_t row, size_t *number);
/* Rebuilds the page with `build`; the cursor stays on its line, wherever that moves. */
void page_view_rebuild(struct view *view, void (*build)(struct view *view));
