/* Two paths to an object that share its dominators and no other node. */
#ifndef ANALYSIS_DISJOINT_PATHS_H
#define ANALYSIS_DISJOINT_PATHS_H

#include "analysis/path_dominators.h"

struct disjoint_paths {
	struct path path[2]; /* the second has no steps if there is a single path only */
};

/* Finds the two paths. `path_dominators` are the dominators of `path`, a path to the object. False:
   cancelled. */
bool disjoint_paths_find(struct path_dominators *path_dominators, const struct path *path,
                         struct progress *progress, struct disjoint_paths *disjoint);
void disjoint_paths_fini(struct disjoint_paths *disjoint);

#endif
