/* The terminal: curses lives in src/ui/term.c and nowhere else. There is one terminal, so there
   is one state, in that file. */
#ifndef UI_TERM_H
#define UI_TERM_H

#include "base/err.h"
#include "ui/canvas.h"

struct term_key {
	char name[40];  /* as in the key table: "j", "Enter", "^O", "MouseLeft 12 40" ... */
	char bytes[16]; /* what a line editor gets for it; "" where it means nothing to one */
};

/* Takes the terminal over. It is given back by term_close(), at exit, and when a signal ends the
   program. False: *err says why it is of no use and what to do instead. */
bool term_open(struct err *err);
void term_close(void);

/* The type that stands in for one of which nothing is known, neither by the system nor here; NULL:
   the terminal's own type is used. */
const char *term_fallback(void);

bool term_is_utf8(void);  /* by the locale */
void term_color(bool on); /* at first on, unless NO_COLOR is set or there are none */
void term_mouse(bool on); /* at first on */
/* The size as it is now, after term_news() told of a change. */
void term_size(int *width, int *height);

/* Shows the canvas, sends only what differs from the screen; the cursor is at (y, x), hidden with
   y < 0. */
void term_draw(const struct canvas *canvas, int y, int x);
void term_redraw(void); /* the next term_draw sends everything */

/* Puts a text into the terminal's clipboard, where the terminal has one and lets programs. */
void term_copy(const char *text);

/* The next key if there is one; does not wait. */
bool term_key(struct term_key *key);

/* Waits for keys on standard input, for signals, and for `fd` to be readable, at most so long
   (ms, -1: for ever). Returns what it was: any of these, 0 when the time is over. */
enum { TERM_KEY = 1, TERM_FD = 2, TERM_RESIZED = 4, TERM_STOP = 8, TERM_GONE = 16 };
unsigned term_wait(int fd, int milliseconds);

/* Gives the terminal back to a command of the shell, with `input` (may be NULL) as its standard
   input, waits for its end and for Enter, and takes the terminal again. False: *err. */
bool term_shell(const char *command, const struct buf *input, int *status, struct err *err);

/* Gives the terminal back, and takes it again with all that was on it. */
void term_leave(void);
void term_take(void);

/* Gives the terminal back and stops the program as ^Z does in a shell; returns after fg. */
void term_suspend(void);

#endif
