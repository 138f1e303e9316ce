/* The retaining path that a view shows, and the search for another one. Drawing reads the path; the
   search works in a task, on what is its own. */
#ifndef UI_PATH_BROWSER_H
#define UI_PATH_BROWSER_H

#include "analysis/analysis.h"
#include "analysis/other_roots.h"
#include "analysis/path_dominators.h"
#include "table/path_kinds.h"
#include "table/path_steps.h"

struct path_browser {
	const struct analysis *analysis;
	uint32_t object;
	struct path path;                       /* what is shown; no steps: nothing yet */
	struct path_steps steps;                /* of it: those that have a row */
	bool typed;                             /* types were known when those were chosen */
	struct path_dominators path_dominators; /* of it; none until they are known */
	enum { PATH_BROWSER_NUMBERED, PATH_BROWSER_TURNED, PATH_BROWSER_DISJOINT } kind;
	size_t number, known;               /* of the way, from 0; how many have been found */
	bool exhausted;                     /* there are no more than those */
	struct path_browser_search *search; /* private; NULL: none */
	size_t alike;                       /* how many ways of its kind have been met */
	struct path_kinds *kinds;           /* of the search while one goes on */
	struct other_roots others;          /* all that lead to the object */
	bool others_known;
};

void path_browser_init(struct path_browser *browser, const struct analysis *analysis,
                       uint32_t object);
void path_browser_fini(struct path_browser *browser);
/* Dominators may be there by now. */
void path_browser_refresh(struct path_browser *browser);

/* Say what to search for: the way with a number; the one that takes the next (1) or previous (-1)
   way of the segment with the step of a row, by its number from 0; one of the two that differ most,
   the other one if it is shown. The latter two need dominators: false, *err. A search before is
   forgotten; it must not be at work. */
void path_browser_find(struct path_browser *browser, size_t number);
bool path_browser_turn(struct path_browser *browser, size_t number, int by, struct err *err);
bool path_browser_part(struct path_browser *browser, struct err *err);
/* Searches, in any thread. */
void path_browser_run(struct path_browser *browser, struct progress *progress);
/* Then takes what has been found; *first becomes the row's step that it differs from before. False:
 *err, which a search that was cancelled does not set, and the path is as it was. */
bool path_browser_end(struct path_browser *browser, size_t *first, struct err *err);

/* Forgets a search that is not at work any more. */
void path_browser_drop(struct path_browser *browser);

/* What is shown: "way 1 of 2+". */
void path_browser_add_title(const struct path_browser *browser, struct buf *out);
/* Is the step of a row the first one behind a dominator, and are there several ways from there? */
bool path_browser_forks(struct path_browser *browser, size_t number, struct buf *out);

#endif
