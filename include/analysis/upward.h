/* What points at a node of dominators: the objects with a reference to it and the anchors of the
   roots that point at it; at an anchor, the one above it. The strengths are passed over: they hold
   nothing of their own. */
#ifndef ANALYSIS_UPWARD_H
#define ANALYSIS_UPWARD_H

#include "analysis/dominators.h"
#include "analysis/reach.h"

struct upward {
	const struct dominators *dominators;
	struct ids objects, roots; /* still to be told */
	uint32_t self, last;
};

/* `upward_start(...); while (upward_next(&upward, &node))`: every node once, but not the node
   itself and nothing that is unreachable. Of the dominators of all ways. */
void upward_start(struct upward *upward, const struct dominators *dominators,
                  const struct reach *reach, uint32_t node);
bool upward_next(struct upward *upward, uint32_t *node);

/* The anchor above an anchor that is not the first. */
uint32_t upward_anchor(const struct dominators *dominators, uint32_t node);

#endif
