/* Edges between topmost nodes: the quotient graph in which each topmost node stands for its
   subtree; private to src/analysis. */
#ifndef ANALYSIS_OWNER_EDGES_H
#define ANALYSIS_OWNER_EDGES_H

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

#endif
