/* A retaining path by its gates: the nodes that every way to its end leads through, which are the
   dominators of the end but for the strengths, and the end itself. Between two gates that follow
   each other lies a stretch, which other ways may replace. */
#ifndef ANALYSIS_GATES_H
#define ANALYSIS_GATES_H

#include "analysis/dominators.h"
#include "analysis/paths.h"

struct gate {
	uint32_t node;
	size_t step; /* of the path; SIZE_MAX for an anchor */
};
struct gates {
	const struct dominators *dominators;
	const struct reach *reach;
	struct gate *gate; /* from the first anchor, which holds everything, to the end of the path */
	size_t count, anchors; /* the first so many are anchors */
	uint32_t *deepest; /* by node, private: see gates_deepest */
};

/* Of any path from a root to a reachable object. The dominators are those of all ways. */
void gates_init(struct gates *gates, const struct dominators *dominators,
                const struct reach *reach, const struct path *path);
void gates_fini(struct gates *gates);

/* The gate that a step of the path is; NULL: it is none. */
const struct gate *gates_at(const struct gates *gates, size_t step);
/* The nearest anchor that alone leads to the end; NULL: it takes several. */
const struct gate *gates_anchor(const struct gates *gates);
/* The last gate that a reachable node is behind: the number of it. The node is on a way of the
   stretch that begins there, unless it is the gate itself. */
size_t gates_deepest(struct gates *gates, uint32_t node);

#endif
