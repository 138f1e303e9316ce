/* The dominators of a retaining path: the nodes on every path to its end, without root classes, and
   the end itself. Between two consecutive dominators is a segment, which may have alternatives. */
#ifndef ANALYSIS_PATH_DOMINATORS_H
#define ANALYSIS_PATH_DOMINATORS_H

#include "analysis/dominators.h"
#include "analysis/paths.h"

struct path_dominator {
	uint32_t node;
	size_t step; /* step of the path; SIZE_MAX for a root node */
};
struct path_dominators {
	const struct dominators *dominators;
	const struct reach *reach;
	/* from the first root node, the root of the tree, to the end of the path */
	struct path_dominator *path_dominator;
	size_t count, root_nodes; /* how many at the front are root nodes */
	uint32_t *deepest;        /* by node, private: see path_dominators_deepest */
};

/* Computes the dominators of any path from a root to a reachable object. `dominators` is the tree
   of all references that the path may follow. */
void path_dominators_init(struct path_dominators *path_dominators,
                          const struct dominators *dominators, const struct reach *reach,
                          const struct path *path);
void path_dominators_fini(struct path_dominators *path_dominators);

/* Returns the index of the first dominator at or after a step of the path, or `count`. */
size_t path_dominators_next(const struct path_dominators *path_dominators, size_t step);
/* Returns the dominator at a step of the path; NULL: none. */
const struct path_dominator *path_dominators_at(const struct path_dominators *path_dominators,
                                                size_t step);
/* Returns the nearest root node that is on every path to the end; NULL: none, several roots reach
   it. */
const struct path_dominator *path_dominators_root_node(
	const struct path_dominators *path_dominators);
/* Returns the index of the last path dominator that dominates a reachable node. The node is within
   the segment that begins there, unless it is the dominator itself. */
size_t path_dominators_deepest(struct path_dominators *path_dominators, uint32_t node);

#endif
