/* The retaining path that a view shows, and the search for another one, which goes on beside the
   screen. */
#ifndef UI_ROUTE_H
#define UI_ROUTE_H

#include "analysis/analysis.h"
#include "analysis/gates.h"

struct route {
	const struct analysis *analysis;
	uint32_t object;
	struct path path;   /* what is shown; no steps: nothing yet */
	struct gates gates; /* of it; no gates as long as dominators are not known */
	enum { ROUTE_NUMBERED, ROUTE_TURNED, ROUTE_APART } kind;
	size_t number, known; /* of the way, from 0; how many have been found */
	bool exhausted;       /* there are no more than those */
	struct route_search *search; /* private; NULL: none goes on */
	struct paths *paths;  /* of the search while one goes on */
};

void route_init(struct route *route, const struct analysis *analysis, uint32_t object);
void route_fini(struct route *route);
/* Dominators may be there by now. */
void route_refresh(struct route *route);

/* Begin a search: for the way with a number; for the one that takes the next (1) or previous (-1)
   way of the stretch with a step; for one of the two that differ most, the other one if it is
   shown. The latter two need gates: false, *err. A search that goes on is given up. */
void route_find(struct route *route, size_t number);
bool route_turn(struct route *route, size_t step, int by, struct err *err);
bool route_part(struct route *route, struct err *err);
/* True when it has ended, within so many milliseconds. */
bool route_wait(struct route *route, int milliseconds);
void route_progress(const struct route *route, struct buf *out);
/* Takes what has been found; *first becomes the step that it differs from before. False: *err, and
   the path is as it was. A search that goes on is given up, without an error. */
bool route_end(struct route *route, size_t *first, struct err *err);

/* What is shown: "way 1 of 2+". */
void route_add_title(const struct route *route, struct buf *out);
/* Is a step the first one behind a gate, and are there several ways from there? */
bool route_forks(struct route *route, size_t step, struct buf *out);

#endif
