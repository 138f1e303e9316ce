/* Dominators on their way, private to src/analysis: what its steps share.

   flow_number   numbers what is reachable in the order of a depth-first search
   flow_join     finds the dominator of every number
   flow_retain   tells it of nodes, and adds up what they retain

   Most objects take no part in the first two: one without references that a single reference
   points at is dominated by where that is. */
#ifndef ANALYSIS_FLOW_GRAPH_H
#define ANALYSIS_FLOW_GRAPH_H

#include "analysis/dominators.h"

/* What `number` says of nodes that have none. Every number is smaller. */
enum flow_mark {
	FLOW_HELD = -4,  /* belongs to a pool whose turn has not come */
	FLOW_ALONE = -3, /* an object that takes no part */
	FLOW_LEAF = -2,  /* not met yet, and has no references */
	FLOW_FRESH = -1, /* not met yet */
};
#define FLOW_MARKS ((uint32_t)FLOW_HELD)

/* A way between numbers that the search has found and not taken: from a number above, or from one
   after it. */
struct flow_way { uint32_t from, to; };

struct flow_graph {
	const struct anchors *anchors;
	const struct heap *heap;
	enum retain retain;
	uint32_t objects, nodes;
	uint32_t count;   /* numbers given */
	uint32_t first;   /* ways are followed between numbers from this one on: of the present strength */
	uint32_t *number; /* by node: its number or a mark */
	uint32_t *node;   /* by number */
	uint32_t *parent; /* by number: in the search tree; flow_join makes dominators of them */
	struct flow_way *way; /* flow_join frees it */
	uint32_t ways;
	size_t column, way_size; /* bytes of each of the columns, of way */
};

/* False: cancelled. */
bool flow_number(struct flow_graph *graph, struct progress *progress);
bool flow_join(struct flow_graph *graph, struct progress *progress);
void flow_retain(struct flow_graph *graph, struct dominators *out);

#endif
