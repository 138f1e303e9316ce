/* Nodes of a tree of dominators, those that are alike together. */
#ifndef TABLE_NODE_GROUP_H
#define TABLE_NODE_GROUP_H

#include "analysis/analysis.h"

struct node_group {
	uint64_t key;        /* of all of them */
	size_t first, count; /* groups->node[first ...], ascending */
	uint64_t bytes;      /* what they retain */
	uint32_t objects;
};
struct node_groups {
	struct node_group *group; /* most bytes first, then by the first node */
	size_t count;
	uint32_t *node;
};

/* `nodes` are ascending and retain nothing in common. False: cancelled, and nothing is there. */
bool node_groups_init(struct node_groups *groups, const struct analysis *analysis,
                      const struct dominators *dominators, struct ids nodes,
                      struct progress *progress);
/* The same: what hangs in other fields is not alike. NULL: wherever it hangs. */
struct owner_fields;
bool node_groups_init_by_field(struct node_groups *groups, const struct analysis *analysis,
                               const struct dominators *dominators, struct ids nodes,
                               struct owner_fields *fields, struct progress *progress);
void node_groups_fini(struct node_groups *groups);

/* The next of some nodes, those that retain most first, then by number: puts at most `most` of them
   into `out`, those that come after *last. NULL: from the first on. */
size_t node_group_pick(const struct dominators *dominators, struct ids nodes, const uint32_t *last,
                       uint32_t *out, size_t most);

#endif
