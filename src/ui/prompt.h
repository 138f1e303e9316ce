/* The line editor at the bottom of the screen; only src/ui/prompt.c uses readline. It never
   accesses the terminal: keys come in as bytes, and the line is drawn on the canvas. Readline is a
   singleton, so the state is static in that file. */
#pragma once

#include "ui/explorer.h"

enum prompt_state { PROMPT_EDITING, PROMPT_DONE, PROMPT_CANCELLED };

/* Begins a line of one of line_kinds; all but searches and the palette have completion. */
void prompt_begin(struct explorer *explorer, char kind);
enum prompt_state prompt_feed(const char *bytes);
void prompt_cancel(void);
const char *prompt_typed(void); /* the line as far as it is typed, during PROMPT_EDITING */
const char *prompt_line(void);  /* after PROMPT_DONE, until the next prompt_begin */
/* Draws the line on the bottom row, and candidates above it; *x is the cursor's column. */
void prompt_draw(struct canvas *canvas, int *x);
void prompt_fini(void);
