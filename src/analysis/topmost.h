/* A map from each node to its topmost dominator, the one immediately below the root or a root
   class. 4 bytes for each node that dominates others; private to src/analysis. */
#ifndef ANALYSIS_TOPMOST_H
#define ANALYSIS_TOPMOST_H

#include "analysis/dominators.h"

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

#endif
