/* A search for a text in the rows of a view. It runs in steps, because a list may have millions of
   rows. */
#pragma once

#include "ui/view.h"

struct search {
	struct buf needle; /* the last text searched for; "": none yet */
	bool shown;        /* matches are marked on the screen */
	bool running;      /* its result is not reported yet */
	int direction;     /* of the search itself, 1 or -1 */
	int step;          /* of this run */
	size_t row, left;  /* next row to examine; number of rows left */
	bool wrapped;
	struct row_search cells;
	struct canvas scratch; /* one row, for views without `matches` */
};

enum search_state { SEARCH_GOES_ON, SEARCH_FOUND, SEARCH_NOT_FOUND };

void search_fini(struct search *search);
/* Begins at the row after (or before) the cursor, and wraps around. */
void search_start(struct search *search, const struct view *view, const char *needle,
                  int direction);
/* Sets the text for search_again() only. */
void search_note(struct search *search, const char *needle);
void search_again(struct search *search, const struct view *view, bool reverse);
/* Continues, in any thread that has exclusive use of search and view. SEARCH_FOUND: search->row is
   the match; after the view's last row, it is one of view->ops->more. SEARCH_GOES_ON: cancelled, it
   may continue later. */
enum search_state search_work(struct search *search, const struct view *view,
                              struct progress *progress);

/* Returns the share of rows examined, 0 ... 1. */
double search_share(const struct search *search, const struct view *view);
