/* How a retaining path is drawn, one step a row. */
#ifndef UI_ROUTE_DRAW_H
#define UI_ROUTE_DRAW_H

#include "ui/canvas.h"
#include "ui/route.h"

/* The lines above the rows; returns how many there are. canvas may be NULL. */
int route_draw_heads(struct route *route, struct canvas *canvas, int y);
/* Row 0 is the root, row n the n-th step. */
void route_draw(struct route *route, size_t row, struct canvas *canvas, int y);

#endif
