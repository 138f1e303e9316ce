/* The dominators of a retaining path: the nodes on every path to its end, without root classes, and
   the end itself. Between two consecutive dominators is a segment, which may have alternatives. */
#pragma once

#include "analysis/dominators.h"
#include "analysis/paths.h"
#include "analysis/reach.h"
#include "analysis/what_if.h"

struct path_dominator {
	uint32_t node;
	size_t step; /* step of the path; SIZE_MAX for a root node */
};
struct path_dominators {
	const struct dominators *dominators;
	const struct reach *reach;
	/* from the first root node, the root of the tree, to the end of the path */
	struct path_dominator *item;
	size_t count, root_nodes; /* how many at the front are root nodes */
	uint32_t *deepest;        /* by node, private: see path_dominators_deepest */
};

/* Computes the dominators of any path from a root to a reachable object. `dominators` is the tree
   of all references that the path may follow. */
void path_dominators_init(struct path_dominators *chain, const struct dominators *dominators,
                          const struct reach *reach, const struct path *path);
void path_dominators_fini(struct path_dominators *chain);

/* Returns the index of the first dominator at or after a step of the path, or `count`. */
size_t path_dominators_next(const struct path_dominators *chain, size_t step);
/* Returns the dominator at a step of the path; NULL: none. */
const struct path_dominator *path_dominators_at(const struct path_dominators *chain, size_t step);
/* Returns the nearest root node that is on every path to the end; NULL: none, several roots reach
   it. */
const struct path_dominator *path_dominators_root_node(const struct path_dominators *chain);
/* Returns the index of the last path dominator that dominates a reachable node. The node is within
   the segment that begins there, unless it is the dominator itself. */
size_t path_dominators_deepest(struct path_dominators *chain, uint32_t node);

/* ---- An iterator over the predecessors of a node in the dominator graph: objects with a reference
   to it, and the root nodes of roots that point at it; for a root node, its parent. It skips root
   classes, which hold nothing of their own. */

struct predecessors {
	const struct dominators *dominators;
	struct ids objects, roots; /* not returned yet */
	uint32_t self, last;
	const uint64_t *skip; /* bits by node: nodes that are not returned; NULL: all are */
};

/* `predecessors_start(...); while (predecessors_next(&predecessors, &node))` visits every
   predecessor once, without the node itself and without unreachable ones. `dominators` must be the
   tree of all references. */
void predecessors_start(struct predecessors *predecessors, const struct dominators *dominators,
                        const struct reach *reach, uint32_t node);
bool predecessors_next(struct predecessors *predecessors, uint32_t *node);

/* Returns the parent of a root node that is not the first. */
uint32_t predecessors_root_node(const struct dominators *dominators, uint32_t node);

/* ---- A segment: the part of a path between two consecutive dominators, and its alternatives.
   Alternatives differ by the predecessor of the second dominator. */

struct path_segment {
	size_t path_dominator; /* index of the second dominator */
	/* steps of the path: the first after the first dominator, and the second dominator */
	size_t first, end;
	/* of each alternative: the predecessor of the second dominator; objects first, then root
	   nodes */
	uint32_t *holder;
	size_t count, current; /* the number of alternatives; the one that the path takes */
	bool limited;          /* there may be more */
};

/* Finds the segment of a step; a dominator belongs to the segment before it. */
void path_segment_init(struct path_segment *segment, struct path_dominators *chain,
                       const struct path *path, size_t step);
void path_segment_fini(struct path_segment *segment);

/* Stores in *taken the path with another alternative of the segment, the shortest one. False:
   cancelled. The caller frees its steps. */
bool path_segment_take(const struct path_segment *segment, struct path_dominators *chain,
                       const struct path *path, size_t alternative, struct progress *progress,
                       struct path *taken);

/* ---- Two paths to an object that share its dominators and no other node. */

struct disjoint_paths {
	struct path path[2]; /* the second has no steps if there is a single path only */
};

/* Finds the two paths. `chain` are the dominators of `path`, a path to the object. False:
   cancelled. */
bool disjoint_paths_find(struct path_dominators *chain, const struct path *path,
                         struct progress *progress, struct disjoint_paths *disjoint);
void disjoint_paths_fini(struct disjoint_paths *disjoint);

/* ---- Sets of nodes that retain an object together: none alone retains it, and it becomes
   unreachable when all of them go. These are the direct successors of a dominator through which
   paths lead to the next dominator. */

struct co_holders {
	uint32_t *holder; /* nodes, ascending: objects, then root nodes */
	size_t count, capacity;
	bool directly; /* the first dominator itself references the second */
};

/* Returns true if several edges lead to a dominator (not the first). Cheap. */
bool co_holders_exists(struct path_dominators *chain, size_t path_dominator);

/* Finds the co-holders of the segment that ends at a dominator (not the first). A single holder, or
   only `directly`, means that there is a single path. False: cancelled. */
bool co_holders_find(struct path_dominators *chain, size_t path_dominator,
                     struct progress *progress, struct co_holders *co_holders);
void co_holders_fini(struct co_holders *co_holders);
/* Returns true if several nodes retain it together. */
static inline bool co_holders_is(const struct co_holders *co_holders)
{
	return co_holders->count + co_holders->directly > 1;
}

/* Computes what becomes unreachable when all holders and the reference of the first dominator go.
   False: cancelled. */
bool co_holders_freed(const struct path_dominators *chain, size_t path_dominator,
                      const struct co_holders *co_holders, struct progress *progress,
                      struct freed *freed);
