/* Colors for src/ui/term.c; includes curses. */
#pragma once

#include "ui/canvas.h"

#include <curses.h>

/* Chooses the palette, after the screen has been opened. */
void term_color_begin(void);
/* Returns the attributes of a cell, and stores its color pair; 0: the terminal's own colors. */
attr_t term_color_of(const struct cell *cell, short *pair);
