/* The explorer: a history of views, marks, search, and the command language. It takes commands and
   key names and draws on a canvas; src/ui/app.c drives it with a terminal, src/ui/script.c without
   one. */
#pragma once

#include "base/err.h"
#include "ui/canvas.h"
#include "ui/view.h"

struct analysis;

struct explorer;

/* The driver of the explorer. `command` runs the driver's words: "screen", "size WxH", "wait
   STAGE", "set OPTION VALUE", "suspend", "redraw", "copy TEXT", "reopen", "snapshot", "open" and
   "since" (the last four after the command returns). False: *err. NULL: none of them is available.
 */
enum list_form { LIST_TEXT, LIST_CSV, LIST_JSON };

/* A file about the dump that a command makes. */
struct file_request {
	const char *path;
	const char *format; /* "": the suffix of the path selects it */
	const char *about;  /* the object of the row, for formats that are about one; "": none */
};
/* Writes a file that must not be there yet, in any thread; refuses before it computes anything.
   Appends lines about what the file does not hold. False: *err, and there is no file. */
typedef bool file_maker(const struct analysis *analysis, const struct file_request *file,
                        struct progress *progress, struct buf *told, struct err *err);

/* What writes lists and files about a dump; NULL: not available. */
struct explorer_writers {
	/* Appends rows of a table by number, with all columns. NULL: views are written as drawn. */
	void (*print)(enum list_form form, const struct rows *rows, uint32_t *row, size_t count,
	              struct buf *out);
	file_maker *report; /* a report */
	file_maker *redact; /* a copy of the dump without its texts, keys and numbers */
	file_maker *export; /* the dump for another tool */
	/* Returns the name of a format of the latter by number; NULL: there are no more. */
	const char *(*export_format)(size_t number);
};

struct explorer_host {
	void *self;
	const struct wake *wake; /* for background tasks; NULL: the explorer waits for them */
	bool (*command)(void *self, const char *word, const char *argument, struct err *err);
	struct explorer_writers writers;
	/* Writes a new file. False: *err. NULL: not available. */
	bool (*write)(void *self, const char *path, const struct buf *text, struct err *err);
	/* Runs a shell command on the terminal, with `input` (may be NULL) as its standard input;
	 *status is the exit status as in the shell. False: *err. NULL: not available. */
	bool (*shell)(void *self, const char *command, const struct buf *input, int *status,
	              struct err *err);
	/* Opens a file at a line in the user's editor; *status as in the shell. False: *err. NULL:
	   there is no terminal. */
	bool (*edit)(void *self, const char *path, uint64_t line, int *status, struct err *err);
};

/* Creates an explorer that shows the overview. Borrows the analysis, which may still be running. */
struct explorer *explorer_new(const struct analysis *analysis, struct explorer_host host);
void explorer_free(struct explorer *explorer);
/* Stops background tasks: nothing reads the analysis until the next command. */
void explorer_rest(struct explorer *explorer);
/* Switches to another analysis, asked as before: the overview, and above it, unless it is of
   another file, the current view as soon as its stages are finished. The old analysis must live
   until then.
 */
void explorer_reopen(struct explorer *explorer, const struct analysis *analysis, bool other);

/* Runs a command line ("goto 0xc000012340; sort size; down 3"). An error becomes the message of the
   status line; false then: the failed command has changed nothing, and later ones were not run. */
bool explorer_command(struct explorer *explorer, const char *line);
/* Runs the command that a key is bound to in the current view. Key names: "j", "G", "Enter",
   "Backspace", "Up", "PageDown", "^O", "Tab", "F1", "Space", "MouseLeft 12 40" (row column) ...
   False as above. */
bool explorer_key(struct explorer *explorer, const char *key);

/* Draws the screen. Width and height of the canvas also define the size of a page. */
void explorer_draw(struct explorer *explorer, struct canvas *canvas);
/* Sets the size of the next screen. */
void explorer_resize(struct explorer *explorer, int width, int height);
/* Handles a wake-up: collects finished background tasks, takes up progress of the analysis, and
   opens a view that waited for it. True: the screen must be redrawn. */
bool explorer_refresh(struct explorer *explorer);
/* Returns true if a background task runs whose progress is shown. */
bool explorer_busy(const struct explorer *explorer);
/* Waits until all background tasks have ended, because the next command may depend on them. */
void explorer_finish(struct explorer *explorer);

bool explorer_wants_quit(const struct explorer *explorer);
/* The kinds of lines that the explorer asks for. `head` stands before the line, `command` takes it,
   `empty` takes an empty one, NULL: nothing does. A line without a command is a command line. */
struct line_kind {
	char kind;
	const char *head, *command, *empty;
};
enum { LINE_KINDS = 8 };
extern const struct line_kind line_kinds[LINE_KINDS + 1]; /* ends with kind 0 */
/* Returns NULL if there is no such kind. */
const struct line_kind *line_kind_find(char kind);
/* Returns the kind of the line that the explorer waits for, else 0. The driver may edit the line
   itself and pass it to explorer_line(), or pass the keys to explorer_key(). */
char explorer_wants_line(const struct explorer *explorer);
void explorer_line(struct explorer *explorer, const char *line); /* NULL: cancelled */
/* Shows what the line does as far as it is typed: the first row that has a text searched for. */
void explorer_typed(struct explorer *explorer, const char *line);

void explorer_message(struct explorer *explorer, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* does nothing without an error */
void explorer_fail(struct explorer *explorer, const struct err *err);
const char *explorer_last_message(const struct explorer *explorer); /* "" if there is none */
/* Returns true if the message is an error. */
bool explorer_has_failed(const struct explorer *explorer);
/* Returns the current view; NULL only while the first one opens. */
struct view *explorer_view(struct explorer *explorer);
/* Opens a view on top of the history; false and a message if it fails. A view that requires
   unfinished stages opens by itself later. */
bool explorer_open(struct explorer *explorer, const char *view, const char *argument);

/* Completes a line of a kind (':' a command line, '&' a filter, '=' a place): stores candidates for
   the word that ends at byte `end`, each a whole word. Returns how many; the caller frees each and
   the array. */
size_t explorer_complete(struct explorer *explorer, char kind, const char *line, size_t end,
                         char ***candidates);
/* Returns true if the argument of the command that `line` ends with is the name of a file. */
bool explorer_names_file(char kind, const char *line, size_t end);
