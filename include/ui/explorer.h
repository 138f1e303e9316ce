/* The explorer: a history of views, marks, search, and the command language. It takes commands
   and key names and draws on a canvas; src/ui/app.c drives it with a terminal, src/ui/script.c
   without one. */
#ifndef UI_EXPLORER_H
#define UI_EXPLORER_H

#include "analysis/analysis.h"
#include "base/err.h"
#include "ui/canvas.h"
#include "ui/view.h"

struct explorer;

/* Whoever drives the explorer. `command` runs the words that are the driver's: "screen", "size
   WxH", "wait STAGE", "set OPTION VALUE", "suspend", "redraw", "copy TEXT", "reopen" and "snapshot"
   (once the command has come back). False: *err. NULL: none of them here. */
enum list_form { LIST_TEXT, LIST_CSV, LIST_JSON };

struct explorer_host {
	void *self;
	const struct wake *wake; /* for what goes on beside the screen; NULL: it is waited for */
	bool (*command)(void *self, const char *word, const char *argument, struct err *err);
	/* Appends rows of a table by their numbers, with all columns. NULL: views are written as they
	   are drawn. */
	void (*print)(enum list_form form, const struct rows *rows, uint32_t *row, size_t count,
	              struct buf *out);
	/* Writes a new file. False: *err. NULL: no files are written here. */
	bool (*write)(void *self, const char *path, const struct buf *text, struct err *err);
	/* Runs a command of the shell on the terminal, with `input` (may be NULL) as its standard
	 *input; status as of the shell. False: *err. NULL: there is none. */
	bool (*shell)(void *self, const char *command, const struct buf *input, int *status,
	              struct err *err);
	/* Opens a file at a line in the editor of the user; status as of the shell. False: *err. NULL:
	   there is no terminal for one. */
	bool (*edit)(void *self, const char *path, uint64_t line, int *status, struct err *err);
};

/* Starts with the overview. Borrows the analysis, which may still be at work. */
struct explorer *explorer_new(struct analysis *analysis, struct explorer_host host);
void explorer_free(struct explorer *explorer);
/* Ends what goes on beside the screen: nothing reads the analysis any more until the next command.
 */
void explorer_rest(struct explorer *explorer);
/* Goes on with another analysis, of the same files read anew: the overview, and above it the view
   that is open, as soon as there is enough for it. The old analysis must live until then. */
void explorer_reopen(struct explorer *explorer, struct analysis *analysis);

/* Runs one command line ("goto 0xc000012340; sort size; down 3"). What goes wrong becomes the
   message of the status line; false then: that command has changed nothing, and those after it
   were not run. */
bool explorer_command(struct explorer *explorer, const char *line);
/* Runs what a key is bound to in the view that is open. Key names: "j", "G", "Enter",
   "Backspace", "Up", "PageDown", "^O", "Tab", "F1", "Space", "MouseLeft 12 40" (row column) ...
   False as above. */
bool explorer_key(struct explorer *explorer, const char *key);

/* Draws everything. Width and height come from the canvas and hold for moving by pages, too. */
void explorer_draw(struct explorer *explorer, struct canvas *canvas);
/* The size of the screen that is drawn next. */
void explorer_resize(struct explorer *explorer, int width, int height);
/* The driver was woken: takes in what has ended beside the screen and how far the analysis is,
   opens what waited for it. True: draw again. */
bool explorer_refresh(struct explorer *explorer);
/* Does anything go on beside the screen, whose progress is shown? */
bool explorer_busy(const struct explorer *explorer);
/* Waits until nothing does: what comes next is about what is found. */
void explorer_finish(struct explorer *explorer);

bool explorer_wants_quit(const struct explorer *explorer);
/* ':' (command), '/' (search), '&' (filter), '.' (field) or '=' (place) while the explorer wants a
   line of that kind; the driver may edit it by itself and hand it over with explorer_line(), or
   pass the keys on to explorer_key(). 0: no. */
char explorer_wants_line(const struct explorer *explorer);
void explorer_line(struct explorer *explorer, const char *line); /* NULL: cancelled */

void explorer_message(struct explorer *explorer, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void explorer_fail(struct explorer *explorer, const struct err *err); /* if there is one */
const char *explorer_last_message(const struct explorer *explorer);   /* "" when there is none */
/* Does the message tell of a failure? */
bool explorer_has_failed(const struct explorer *explorer);
/* The open one; NULL only while the first one opens. */
struct view *explorer_view(struct explorer *explorer);
/* Opens a view on top of the history; false and a message when it cannot. A view that needs more
   of the analysis than there is opens later by itself. */
bool explorer_open(struct explorer *explorer, const char *view, const char *argument);

/* Completion of a line of a kind (':' a command line, '&' a filter, '=' a place): candidates for
   the word that ends at byte `end`; each is a whole word. Returns how many; free() each and the
   array. */
size_t explorer_complete(struct explorer *explorer, char kind, const char *line, size_t end,
                         char ***candidates);

#endif
