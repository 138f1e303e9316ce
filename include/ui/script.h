/* The explorer without a terminal: runs commands and prints the screens. Scripts, tests and -e. */
#ifndef UI_SCRIPT_H
#define UI_SCRIPT_H

#include "analysis/analysis.h"
#include "base/buf.h"
#include "ui/explorer.h"

#include <stdbool.h>

struct script_options {
	int width, height; /* of the screen; 0: 80 and 24 */
	bool ascii;        /* draw ASCII only */
	bool marks;        /* after each row the styles of its cells and the cursor */
	/* As of the explorer's host. */
	void (*print)(enum list_form form, const struct rows *rows, uint32_t *row, size_t count,
	              struct buf *out);
};

/* Appends the text of a script file ("-": standard input). */
bool script_load(struct buf *text, const char *path, struct err *err);

/* Runs every line of `text` ("# ..." is a comment), after all of the analysis is done unless the
   first command is "wait STAGE". Screens go to standard output: one for each command "screen",
   and the last one when something has changed since. Returns the exit status: 0, 1 when a command
   failed (its message on stderr; nothing after it is run), 2 when the dump cannot be opened. Where
   a command opens the files anew, *analysis is a new one and the old one is freed. */
int script_run(struct analysis **analysis, const char *text, const struct script_options *options);

#endif
