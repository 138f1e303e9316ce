/* The heap as stacks of names, for profiles and flame graphs: from a root to objects with equal
   paths. Each object counts once. */
#pragma once

#include "analysis/analysis.h"
#include "analysis/merge.h"

/* Maximum number of nodes of a stack: deeper nodes count for the last one. */
enum { STACK_MOST = 256 };

struct stacks {
	struct step_classes *step_classes;
	struct merged_paths *merged; /* nodes come after their parents */
	struct stack_sum {
		uint64_t objects, bytes; /* of the node, and of descendants that are too deep */
	} * sum;                     /* by node */
	struct stack_sum unreachable;
};

/* stacks_by_dominators builds stacks along dominators, after STAGE_DOMINATED: what is below a name
   would be freed with it. stacks_by_paths builds them along shortest paths, as in the table where.
   False: *err. */
bool stacks_by_dominators(struct stacks *stacks, const struct analysis *analysis, struct err *err);
bool stacks_by_paths(struct stacks *stacks, const struct analysis *analysis, struct err *err);
void stacks_fini(struct stacks *stacks);

/* Appends the names of a node, printable, a line each, the outermost first. */
void stacks_add_names(const struct stacks *stacks, size_t node, struct buf *out);
/* Stores the node and its ancestors, the node first; returns their number. 0: the node is too deep,
   and counts for an ancestor. */
size_t stacks_walk(const struct stacks *stacks, size_t node, uint32_t nodes[STACK_MOST]);
