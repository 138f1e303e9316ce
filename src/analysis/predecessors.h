/* What points at a node of dominators: the objects with a reference to it and the root nodes of the
   roots that point at it; at a root node, the one above it. The root classes are passed over: they
   hold nothing of their own. */
#ifndef ANALYSIS_PREDECESSORS_H
#define ANALYSIS_PREDECESSORS_H

#include "analysis/dominators.h"
#include "analysis/reach.h"

struct predecessors {
	const struct dominators *dominators;
	struct ids objects, roots; /* still to be told */
	uint32_t self, last;
};

/* `predecessors_start(...); while (predecessors_next(&predecessors, &node))`: every node once, but
   not the node itself and nothing that is unreachable. Of the dominators of all ways. */
void predecessors_start(struct predecessors *predecessors, const struct dominators *dominators,
                        const struct reach *reach, uint32_t node);
bool predecessors_next(struct predecessors *predecessors, uint32_t *node);

/* The root node above a root node that is not the first. */
uint32_t predecessors_root_node(const struct dominators *dominators, uint32_t node);

#endif
