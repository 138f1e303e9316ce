/* Searching the rows of a view for a text: a list of millions takes a while. */
#ifndef UI_SEARCH_H
#define UI_SEARCH_H

#include "ui/view.h"

struct search {
	struct buf needle; /* what was last searched for; "" nothing yet */
	bool shown;        /* matches are marked on the screen */
	bool running;      /* its end has not been told yet */
	int direction;     /* of the search itself, 1 or -1 */
	int step;          /* of this run */
	size_t row, left;  /* next row to look at, how many are still to be seen */
	bool wrapped;
	struct row_search cells;
	struct canvas scratch; /* one row, for views without a way to tell matches */
};

enum search_state { SEARCH_GOES_ON, SEARCH_FOUND, SEARCH_NOT_FOUND };

void search_fini(struct search *search);
/* Begins at the row after (before) the cursor and comes around. */
void search_start(struct search *search, const struct view *view, const char *needle,
                  int direction);
/* Only remembers what search_again() will look for. */
void search_note(struct search *search, const char *needle);
void search_again(struct search *search, const struct view *view, bool reverse);
/* Goes on, in any thread that has search and view for itself. SEARCH_FOUND: search->row is it;
   behind the view's last row, it is one of view->ops->more. SEARCH_GOES_ON: cancelled, it may go on
   later. */
enum search_state search_work(struct search *search, const struct view *view,
                              struct progress *progress);

/* Share of the rows seen, 0 ... 1. */
double search_share(const struct search *search, const struct view *view);

#endif
