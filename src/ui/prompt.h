/* Editing a line at the bottom of the screen: readline lives in src/ui/prompt.c and nowhere else.
   It never touches the terminal: keys come in as bytes, the line is drawn on the canvas. There is
   one readline, so there is one state, in that file. */
#ifndef UI_PROMPT_H
#define UI_PROMPT_H

#include "ui/explorer.h"

enum prompt_state { PROMPT_EDITING, PROMPT_DONE, PROMPT_CANCELLED };

/* Begins a line of a kind: ':' commands and '&' filters, '.' fields, '=' places, all with
 * completion;
 * '/' searches. */
void prompt_begin(struct explorer *explorer, char kind);
enum prompt_state prompt_feed(const char *bytes);
void prompt_cancel(void);
const char *prompt_line(void); /* after PROMPT_DONE, until the next prompt_begin */
/* Draws the line on the bottom row and candidates above it; *x is the cursor's column. */
void prompt_draw(struct canvas *canvas, int *x);
void prompt_fini(void);

#endif
