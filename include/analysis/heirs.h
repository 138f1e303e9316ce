/* What each node of a tree of dominators dominates immediately: an index over the whole tree, for
   those who go down in it often. 8 bytes a node. */
#ifndef ANALYSIS_HEIRS_H
#define ANALYSIS_HEIRS_H

#include "analysis/dominators.h"

struct heirs {
	uint32_t *row, *node; /* of node n: node[row[n]] ... node[row[n + 1] - 1], ascending */
	uint32_t nodes;
};

/* False: cancelled, and nothing is there. */
bool heirs_init(struct heirs *heirs, const struct dominators *dominators,
                struct progress *progress);
void heirs_fini(struct heirs *heirs);

static inline struct ids heirs_of(const struct heirs *heirs, uint32_t node)
{
	return (struct ids){heirs->node + heirs->row[node], heirs->row[node + 1] - heirs->row[node]};
}

#endif
