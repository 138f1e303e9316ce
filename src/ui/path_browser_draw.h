/* Drawing of a retaining path, one step per row. */
#ifndef UI_PATH_BROWSER_DRAW_H
#define UI_PATH_BROWSER_DRAW_H

#include "ui/canvas.h"
#include "ui/path_browser.h"

/* Draws the lines above the rows; returns their number. canvas may be NULL. */
int path_browser_draw_heads(struct path_browser *browser, struct canvas *canvas, int y);
/* Draws a row: row 0 is the root, row n the n-th step. */
void path_browser_draw(struct path_browser *browser, size_t row, struct canvas *canvas, int y);

#endif
