/* An iterator over the predecessors of a node in the dominator graph: objects with a reference to
   it, and the root nodes of roots that point at it; for a root node, its parent. It skips root
   classes, which hold nothing of their own. */
#ifndef ANALYSIS_PREDECESSORS_H
#define ANALYSIS_PREDECESSORS_H

#include "analysis/dominators.h"
#include "analysis/reach.h"

struct predecessors {
	const struct dominators *dominators;
	struct ids objects, roots; /* not returned yet */
	uint32_t self, last;
};

/* `predecessors_start(...); while (predecessors_next(&predecessors, &node))` visits every
   predecessor once, without the node itself and without unreachable ones. `dominators` must be the
   tree of all references. */
void predecessors_start(struct predecessors *predecessors, const struct dominators *dominators,
                        const struct reach *reach, uint32_t node);
bool predecessors_next(struct predecessors *predecessors, uint32_t *node);

/* Returns the parent of a root node that is not the first. */
uint32_t predecessors_root_node(const struct dominators *dominators, uint32_t node);

#endif
