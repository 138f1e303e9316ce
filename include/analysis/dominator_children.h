/* An index of the dominator tree: the children of every node, as CSR rows for the nodes that have
   children. Costs 4 bytes a node, and 4 bytes for each node with children. */
#ifndef ANALYSIS_DOMINATOR_CHILDREN_H
#define ANALYSIS_DOMINATOR_CHILDREN_H

#include "analysis/dominators.h"

struct dominator_children {
	struct ranks inner;   /* nodes that have children */
	uint32_t *row, *node; /* of the r-th: node[row[r]] ... node[row[r + 1] - 1], ascending */
	uint32_t nodes;
};

/* Builds the index. NULL: cancelled. */
struct dominator_children *dominator_children_new(const struct dominators *dominators,
                                                  struct progress *progress);
void dominator_children_free(struct dominator_children *children);

/* The cached indexes, one for each kind of dominator tree (analysis_children). */
extern const struct kept_kind dominator_children_kept;

static inline struct ids dominator_children_of(const struct dominator_children *children,
                                               uint32_t node)
{
	if (!ranks_has(&children->inner, node))
		return (struct ids){0};
	const uint32_t *row = children->row + ranks_at(&children->inner, node);
	return (struct ids){children->node + row[0], row[1] - row[0]};
}

#endif
