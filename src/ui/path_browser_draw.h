/* How a retaining path is drawn, one step a row. */
#ifndef UI_PATH_BROWSER_DRAW_H
#define UI_PATH_BROWSER_DRAW_H

#include "ui/canvas.h"
#include "ui/path_browser.h"

/* The lines above the rows; returns how many there are. canvas may be NULL. */
int path_browser_draw_heads(struct path_browser *browser, struct canvas *canvas, int y);
/* Row 0 is the root, row n the n-th step. */
void path_browser_draw(struct path_browser *browser, size_t row, struct canvas *canvas, int y);

#endif
