/* The retaining path that a view shows, and the search for another one. Drawing reads the path; the
   search works in a task on its own data. */
#pragma once

#include "analysis/analysis.h"
#include "analysis/other_roots.h"
#include "analysis/path_dominators.h"
#include "table/paths/path_kinds.h"
#include "table/paths/path_steps.h"
#include "ui/canvas.h"

struct path_browser {
	const struct analysis *analysis;
	uint32_t object;
	struct path path;                       /* the path shown; no steps: none yet */
	struct path_steps steps;                /* the steps of the path that have a row */
	bool typed, dominated;                  /* `steps` was computed with types, dominators */
	struct path_dominators path_dominators; /* of the path; empty until dominators are known */
	enum { PATH_BROWSER_NUMBERED, PATH_BROWSER_TURNED, PATH_BROWSER_DISJOINT } kind;
	size_t number, known;               /* number of the path, from 0; number of paths found */
	bool exhausted;                     /* there are no other paths */
	struct path_browser_search *search; /* private; NULL: none */
	size_t alike;                       /* number of paths of the same kind found so far */
	struct path_kinds *kinds;           /* used by the search while it runs */
	struct other_roots others;          /* all roots that reach the object */
	bool others_known;
};

void path_browser_init(struct path_browser *browser, const struct analysis *analysis,
                       uint32_t object);
void path_browser_fini(struct path_browser *browser);
/* Takes up dominators, which may have become available. */
void path_browser_refresh(struct path_browser *browser);

/* Define the next search: the path with a number; the path through the next (1) or previous (-1)
   alternative of the segment that contains the step of a row (from 0); one of the two disjoint
   paths, the other one if it is shown. The latter two require dominators: false, *err. They discard
   an earlier search, which must not be running. */
void path_browser_find(struct path_browser *browser, size_t number);
bool path_browser_turn(struct path_browser *browser, size_t number, int by, struct err *err);
bool path_browser_part(struct path_browser *browser, struct err *err);
/* Runs the search, in any thread. */
void path_browser_run(struct path_browser *browser, struct progress *progress);
/* Takes the result; *first becomes the first row that differs from the old path. False: *err (not
   set if the search was cancelled), and the path is unchanged. */
bool path_browser_end(struct path_browser *browser, size_t *first, struct err *err);

/* Discards a search that is not running. */
void path_browser_drop(struct path_browser *browser);

/* Appends which path is shown: "path 1 of 2+". */
void path_browser_add_title(const struct path_browser *browser, struct buf *out);
/* Returns true if the step of a row is the first after a dominator with alternatives; appends them
   to `out`. */
bool path_browser_forks(struct path_browser *browser, size_t number, struct buf *out);
bool path_browser_has_dominators(const struct path_browser *browser);

/* path_browser_draw.c: Draws the lines above the rows; returns their number. canvas may be NULL. */
int path_browser_draw_heads(struct path_browser *browser, struct canvas *canvas, int y);
/* Draws a row: row 0 is the root, row n the n-th step. */
void path_browser_draw(struct path_browser *browser, size_t row, struct canvas *canvas, int y);
