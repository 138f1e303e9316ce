/* The heap as stacks of names with what is at their ends, for profiles: from a root to objects that
   are reached alike. No object counts twice. */
#ifndef MAIN_STACKS_H
#define MAIN_STACKS_H

#include "analysis/analysis.h"
#include "analysis/merge.h"

/* Nodes of a stack at most: what is deeper counts for the last. */
enum { STACK_MOST = 256 };

struct stacks {
	struct step_classes *step_classes;
	struct merged_paths *merged; /* its nodes stand behind their parents */
	struct stack_sum {
		uint64_t objects, bytes; /* of the node, and of those below that are too deep */
	} * sum;                     /* by node */
	struct stack_sum unreachable;
};

/* Along dominators, so that what is below a name is what would be freed with it: after
   STAGE_DOMINATED; or along the shortest paths, as in the table where. False: *err. */
bool stacks_by_dominators(struct stacks *stacks, const struct analysis *analysis, struct err *err);
bool stacks_by_paths(struct stacks *stacks, const struct analysis *analysis, struct err *err);
void stacks_fini(struct stacks *stacks);

/* What a node is called, visible: a line each, the outermost first. */
void stacks_add_names(const struct stacks *stacks, size_t node, struct buf *out);
/* The node and those above it, itself first; returns how many. None: it counts for another one. */
size_t stacks_walk(const struct stacks *stacks, size_t node, uint32_t nodes[STACK_MOST]);

#endif
