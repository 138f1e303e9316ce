/* A retaining path by its dominators: the nodes that every way to its end leads through, which are
   the dominators of the end but for the root classes, and the end itself. Between two dominators
   that follow each other lies a segment, which other ways may replace. */
#ifndef ANALYSIS_PATH_DOMINATORS_H
#define ANALYSIS_PATH_DOMINATORS_H

#include "analysis/dominators.h"
#include "analysis/paths.h"

struct path_dominator {
	uint32_t node;
	size_t step; /* of the path; SIZE_MAX for a root node */
};
struct path_dominators {
	const struct dominators *dominators;
	const struct reach *reach;
	struct path_dominator *path_dominator; /* from the first root node, which holds everything, to
	                                          the end of the path */
	size_t count, root_nodes;              /* the first so many are root nodes */
	uint32_t *deepest;                     /* by node, private: see path_dominators_deepest */
};

/* Of any path from a root to a reachable object. The dominators are those of all ways. */
void path_dominators_init(struct path_dominators *path_dominators,
                          const struct dominators *dominators, const struct reach *reach,
                          const struct path *path);
void path_dominators_fini(struct path_dominators *path_dominators);

/* The first that is not before a step of the path: its number, or their count. */
size_t path_dominators_next(const struct path_dominators *path_dominators, size_t step);
/* The dominator that a step of the path is; NULL: it is none. */
const struct path_dominator *path_dominators_at(const struct path_dominators *path_dominators,
                                                size_t step);
/* The nearest root node that alone leads to the end; NULL: it takes several. */
const struct path_dominator *path_dominators_root_node(
	const struct path_dominators *path_dominators);
/* The last dominator that a reachable node is behind: the number of it. The node is on a way of the
   segment that begins there, unless it is the dominator itself. */
size_t path_dominators_deepest(struct path_dominators *path_dominators, uint32_t node);

#endif
