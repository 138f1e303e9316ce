/* The explorer on a terminal: it owns the main loop, which waits for keys and for news from the
   analysis. */
#pragma once

#include "ui/explorer.h"

#include <stdbool.h>

struct analysis;

struct app_options {
	bool ascii;    /* draw ASCII only, whatever the locale */
	bool no_color; /* as if NO_COLOR was set */
	bool no_mouse; /* leave the mouse to the terminal */
	bool fresh;    /* begin at the overview instead of where the explorer was left */
	bool listen;   /* let agents show views, over a socket */
	struct explorer_writers writers;
};

/* Starts the analysis and runs the explorer until the user quits; then restores the terminal. If
   the user reopens the files, *analysis becomes a new analysis and the old one is freed. Returns
   the exit status: 0, or 2 with a message on stderr if there is no usable terminal or the dump
   cannot be opened. */
int app_run(struct analysis **analysis, const struct app_options *options);
