/* The two ways to an object that differ most: they share its dominators and nothing else. */
#ifndef ANALYSIS_DISJOINT_PATHS_H
#define ANALYSIS_DISJOINT_PATHS_H

#include "analysis/path_dominators.h"

struct disjoint_paths {
	struct path path[2]; /* the second one has no steps when there is a single way only */
};

/* `dominators` are those of `path`, a path of the object. False: cancelled. */
bool disjoint_paths_find(struct path_dominators *path_dominators, const struct path *path,
                         struct progress *progress, struct disjoint_paths *disjoint);
void disjoint_paths_fini(struct disjoint_paths *disjoint);

#endif
