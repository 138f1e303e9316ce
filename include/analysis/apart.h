/* The two ways to an object that differ most: they share its dominators and nothing else. */
#ifndef ANALYSIS_APART_H
#define ANALYSIS_APART_H

#include "analysis/gates.h"

struct apart {
	struct path path[2]; /* the second one has no steps when there is a single way only */
};

/* `gates` are those of `path`, a path of the object. False: cancelled. */
bool apart_find(struct gates *gates, const struct path *path, struct progress *progress,
                struct apart *apart);
void apart_fini(struct apart *apart);

#endif
