/* Nodes of a dominator tree, grouped by similarity. */
#pragma once

#include "analysis/analysis.h"

struct node_group {
	uint64_t key;        /* common to all nodes */
	size_t first, count; /* groups->node[first ...], ascending */
	uint64_t bytes;      /* retained bytes */
	uint32_t objects;
	uint32_t unused; /* written to an index as 0 */
};
struct node_groups {
	struct node_group *group; /* most bytes first, then by the first node */
	size_t count;
	uint32_t *node;
};

/* Groups `nodes`, which are ascending and retain nothing in common. False: cancelled; there is
   nothing to free. */
bool node_groups_init(struct node_groups *groups, const struct analysis *analysis,
                      const struct dominators *dominators, struct ids nodes,
                      struct progress *progress);
/* Like node_groups_init, but nodes in different fields are in different groups. fields NULL: ignore
   fields. */
struct owner_fields;
bool node_groups_init_by_field(struct node_groups *groups, const struct analysis *analysis,
                               const struct dominators *dominators, struct ids nodes,
                               struct owner_fields *fields, struct progress *progress);
void node_groups_fini(struct node_groups *groups);

/* Stores up to `most` nodes in `out`: those that retain most first, then by number, starting after
 *last. NULL: from the first. Returns their number. */
size_t node_group_pick(const struct dominators *dominators, struct ids nodes, const uint32_t *last,
                       uint32_t *out, size_t most);
