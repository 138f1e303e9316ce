/* The explorer on a terminal: the analysis behind it, the loop that waits for keys and
   news. */
#ifndef UI_APP_H
#define UI_APP_H

#include "analysis/analysis.h"
#include "ui/explorer.h"

#include <stdbool.h>

struct app_options {
	bool ascii;    /* draw ASCII only, whatever the locale says */
	bool no_color; /* as if NO_COLOR was set */
	bool no_mouse; /* leave the mouse to the terminal */
	/* As of the explorer's host. */
	void (*print)(enum list_form form, const struct rows *rows, uint32_t *row, size_t count,
	              struct buf *out);
};

/* Starts the analysis and explores until the user leaves; the terminal is as before then. Where the
   user opens the files anew, *analysis is a new one and the old one is freed. Returns
   the exit status: 0, or 2 with a message on stderr when there is no usable terminal or the dump
   cannot be opened. */
int app_run(struct analysis **analysis, const struct app_options *options);

#endif
