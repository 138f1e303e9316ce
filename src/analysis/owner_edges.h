/* Edges between topmost nodes: the quotient graph in which each topmost node stands for its
   subtree; private to src/analysis. */
#pragma once

#include "analysis/dominators.h"
#include "analysis/owners.h"

enum { OWNER_TOP_MARKS = ROOT_CLASSES + 1 };

struct owner_edges {
	/* By index in owners->top. set: owners known to reach the node before any edge here is
	   followed; for an owner, itself. mark: the root class that it is below, one of 0 ...
	   OWNER_TOP_MARKS; 0 once the edges are collected, for use by the search. */
	struct owner_top {
		uint32_t set, mark;
	} * top;
	uint32_t tops;
	/* CSR: the successors of a topmost node that count are to[row[top]] ... to[row[top + 1] - 1],
	   each at least once. Owners have no edges here, because the sets contain them. */
	uint32_t *row, *to;
	size_t to_size;
};

/* Collects the edges; needs the same fields as owner_co_holder_sets. False: cancelled. Call
   owner_edges_fini in either case. */
bool owner_edges_init(struct owner_edges *edges, struct owners *owners, struct progress *progress);
void owner_edges_fini(struct owner_edges *edges);

/* Propagates owners along the edges with a worklist until nothing changes. Takes a third of the
   time of owner_co_holders_find, unless many owners reach the same nodes over long paths one after
   the other. False: gave up or cancelled; the sets are incomplete. */
bool owner_edges_spread(struct owner_edges *edges, struct owner_sets *sets,
                        struct progress *progress);

/* ---- A map from each node to its topmost dominator, the one immediately below the root or a root
   class: 4 bytes for each node that dominates others */

#define TOPMOST_NONE UINT32_MAX

struct topmost {
	const struct dominators *dominators;
	struct ranks inner; /* nodes that dominate others */
	struct ranks tops;  /* the topmost nodes */
	uint32_t *below;    /* by rank in `inner`: 1 + the rank of its topmost node in `tops` */
};

/* Builds the map. `top` lists all topmost nodes, ascending. Borrows the dominators. */
void topmost_init(struct topmost *topmost, const struct dominators *dominators, const uint32_t *top,
                  uint32_t tops);
void topmost_fini(struct topmost *topmost);

/* Returns the rank in `tops` of the topmost dominator of a node, or of the node itself;
   TOPMOST_NONE: unreachable. The node must not be the root or a root class. */
static inline uint32_t topmost_of(const struct topmost *topmost, uint32_t node)
{
	if (ranks_has(&topmost->tops, node))
		return ranks_at(&topmost->tops, node);
	if (!ranks_has(&topmost->inner, node))
		node = dominators_above(topmost->dominators, node);
	return node == OBJECT_NONE ? TOPMOST_NONE : topmost->below[ranks_at(&topmost->inner, node)] - 1;
}

/* ---- The owners of topmost nodes */

/* Returns, for each node of owners->top in that order, the set of owners that reach it; the caller
   frees it. NULL: cancelled. Reads owner, of_root_node, top, children and the empty sets of
   `owners`. */
uint32_t *owner_co_holder_sets(struct owners *owners, struct progress *progress);

/* The fallback for graphs on which owner_edges_spread gives up: finds strongly connected components
   first, which is linear for any graph. False: cancelled. */
bool owner_co_holders_find(struct owner_edges *edges, struct owner_sets *sets,
                           struct progress *progress);
