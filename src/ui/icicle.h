/* An icicle plot: each row of a tree table is a block, as wide as its share of the parent. */
#ifndef UI_ICICLE_H
#define UI_ICICLE_H

#include "table/table.h"
#include "ui/canvas.h"

/* Draws `count` rows of a tree table from `first` on, and their descendants, one level per line.
   With earlier dumps, colors show growth. Blocks too narrow to be visible are omitted. `marked` is
   a row whose block is highlighted. Creates the rows that it draws. */
void icicle_draw(struct rows *rows, size_t first, size_t count, size_t marked,
                 struct canvas *canvas, int y, int lines);

#endif
