/* A tree as rows of blocks: each row of a table is as wide as its part of the one above it. */
#ifndef UI_ICICLE_H
#define UI_ICICLE_H

#include "table/table.h"
#include "ui/canvas.h"

/* Draws `count` rows of a table that is a tree, from `first` on, and what is below them, a level a
   line; with earlier dumps coloured by how much they have grown. Blocks too narrow to be seen are
   left out. `marked` is a row whose block stands out. Makes the rows that it draws. */
void icicle_draw(struct rows *rows, size_t first, size_t count, size_t marked,
                 struct canvas *canvas, int y, int lines);

#endif
