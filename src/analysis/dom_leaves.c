/* Objects without references. They are on no path to other objects, so the search omits them. The
   dominator of such an object is the nearest common ancestor of its referrers in the dominator
   tree, computed one referrer after the other and stored in place of the mark. */
#include "analysis/dom_graph.h"

enum { AHEAD = 24 };

struct leaves {
	const struct dom_graph *g;
	uint32_t climbed, reached; /* the last climb: where it began and where it ended */
};

enum { NEAR = 16 };

/* Like dom_climb. Consecutive referrers are often adjacent on a long list, so that most of the
   climb repeats the last one, which is cached. */
static uint32_t dom_leaves_climb(struct leaves *l, uint32_t from, uint32_t low)
{
	uint32_t at = from;
	if (from - l->climbed < NEAR && l->reached >= low) {
		while (at > l->climbed)
			at = l->g->dominator[at];
		at = at == l->climbed ? l->reached : from;
	}
	l->climbed = from;
	l->reached = dom_climb(l->g, at, low);
	return l->reached;
}

/* Returns the nearest common ancestor of two numbers, which may be one of them. The dominators of
   numbers on one path of the search are nested or disjoint, so the third climb ends at their common
   ancestor. */
static uint32_t dom_leaves_common(struct leaves *l, uint32_t a, uint32_t b)
{
	uint32_t high = a > b ? a : b, low = a < b ? a : b;
	uint32_t above = dom_leaves_climb(l, high, low);
	while (above != low) {
		uint32_t lower = above < low ? above : low;
		above = dom_climb(l->g, above < low ? low : above, lower);
		low = lower;
	}
	return above;
}

static inline void dom_leaves_meet(struct leaves *l, uint32_t target, uint32_t referrer)
{
	uint32_t *number = &l->g->number[target];
	if (*number == (uint32_t)DOM_ALONE)
		*number = referrer | DOM_LEAF;
	else if (dom_is_leaf(*number) && *number != (referrer | DOM_LEAF))
		*number = dom_leaves_common(l, *number & ~DOM_LEAF, referrer) | DOM_LEAF;
}

void dom_leaves(const struct dom_graph *graph)
{
	struct leaves l = {.g = graph};
	struct edges out = graph->references;
	uint32_t edges = starts_at(out.starts, graph->objects), e = 0;
	for (uint32_t id = 0; id < graph->objects; id++) {
		uint32_t referrer = graph->number[id];
		for (uint32_t end = starts_at(out.starts, id + 1); e < end; e++) {
			if (e + (uint64_t)AHEAD < edges)
				__builtin_prefetch(&graph->number[out.to[e + AHEAD]], 1);
			if (referrer < DOM_LEAF)
				dom_leaves_meet(&l, out.to[e], referrer);
		}
	}
}
