/* The explorer without a terminal: runs commands and prints the screens. Used by scripts, tests and
   -e. */
#pragma once

#include "base/buf.h"
#include "ui/explorer.h"

#include <stdbool.h>

struct analysis;

struct script_options {
	int width, height; /* of the screen; 0: 80 and 24 */
	bool ascii;        /* draw ASCII only */
	bool marks;        /* print the styles of its cells and the cursor after each row */
	struct explorer_writers writers;
};

/* Appends the text of a script file ("-": standard input). */
bool script_load(struct buf *text, const char *path, struct err *err);

/* Runs every line of `text` ("# ..." is a comment), after the whole analysis unless the first
   command is "wait STAGE". Prints a screen on standard output for each command "screen", and the
   last one if something has changed since; also the one before a line that begins with a form feed,
   unless that prints it or all since were settings. Returns the exit status: 0, 1 if a command
   failed (message on stderr; later commands are not run), 2 if the dump cannot be opened. If a
   command reopens the files, *analysis becomes a new analysis and the old one is freed. */
int script_run(struct analysis **analysis, const char *text, const struct script_options *options);
