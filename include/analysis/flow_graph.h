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

struct flow_graph {
	const struct anchors *anchors;
	const struct heap *heap;
	enum retain retain;
	uint32_t objects, nodes;
	uint32_t count;   /* numbers given */
	uint32_t *number; /* by node: its number or a mark */
	uint32_t *node;   /* by number */
	uint32_t *parent; /* by number: in the search tree; flow_join makes dominators of them */
	uint64_t *rooted; /* a bit an object: anchors point at it */
	/* A number's ways are from numbers of its own section only: [first, end). RETAIN_ALL has one
	   section, RETAIN_STRONG one a strength. */
	struct flow_section { uint32_t first, end; } section[STRENGTHS];
	size_t sections, column; /* how many; bytes of the columns by number */
};

/* False: cancelled. */
bool flow_number(struct flow_graph *graph, struct progress *progress);
bool flow_join(struct flow_graph *graph, struct progress *progress);
void flow_retain(struct flow_graph *graph, struct dominators *out);

static inline bool flow_is_rooted(const struct flow_graph *graph, uint32_t object)
{
	return graph->rooted[object / 64] >> object % 64 & 1;
}

#endif
