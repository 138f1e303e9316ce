/* The terminal; only src/ui/term*.c use curses. There is one terminal, so the state is static in
   that file. */
#pragma once

#include "base/err.h"
#include "ui/canvas.h"

struct term_key {
	char name[40];  /* as in the key table: "j", "Enter", "^O", "MouseLeft 12 40" ... */
	char bytes[16]; /* input for a line editor; "" if it has no meaning there */
};

/* Takes control of the terminal. term_close(), exit, and fatal signals restore it. False: *err says
   why it is unusable and what to do instead. */
bool term_open(struct err *err);
void term_close(void);

/* Returns the type used in place of an unknown terminal type, neither described by the system nor
   built in; NULL: the terminal's own type is used. */
const char *term_fallback(void);

bool term_is_utf8(void);  /* by the locale */
void term_color(bool on); /* on by default, unless NO_COLOR is set or the terminal has no colors */
void term_mouse(bool on); /* on by default */
/* Chooses the palette for a background; at first it follows COLORFGBG. */
enum term_background { BACKGROUND_UNKNOWN, BACKGROUND_DARK, BACKGROUND_LIGHT };
void term_background(enum term_background background);
/* Sets the colors of a style: "link blue", "link 31 default bold". Also without a terminal. False:
 *err, and nothing has changed. */
bool term_color_set(const char *argument, struct err *err);
/* The names that it takes, besides numbers from 0 to 255 and those of styles. */
enum { COLOR_NAMES = 9, ATTRIBUTE_NAMES = 4 };
extern const char *const term_color_names[COLOR_NAMES],
	*const term_attribute_names[ATTRIBUTE_NAMES];
/* Stores the current size, after term_wait() reported a change. */
void term_size(int *width, int *height);

/* Shows the canvas; sends only differences from the screen. The cursor is at (y, x), hidden if y <
   0. */
void term_draw(const struct canvas *canvas, int y, int x);
void term_redraw(void); /* makes the next term_draw send everything */

/* Copies a text to the terminal's clipboard, if the terminal supports that. */
void term_copy(const char *text);

/* Returns true if a key can have that name. */
bool term_key_exists(const char *name);
/* Returns the next key if there is one; does not wait. */
bool term_key(struct term_key *key);

/* Waits for keys on standard input, for signals, and for `fd` to be readable, up to `milliseconds`
   (-1: forever). Returns a set of events, 0 after a timeout. */
enum { TERM_KEY = 1, TERM_FD = 2, TERM_RESIZED = 4, TERM_STOP = 8, TERM_GONE = 16 };
unsigned term_wait(int fd, int milliseconds);

/* Restores the terminal for a shell command with `input` (may be NULL) as its standard input, waits
   for its end and for Enter, and takes control again. False: *err. */
bool term_shell(const char *command, const struct buf *input, int *status, struct err *err);

/* Restore the terminal; take control again and redraw. */
void term_leave(void);
void term_take(void);

/* Restores the terminal and stops the program, as ^Z does in a shell; returns after fg. */
void term_suspend(void);
