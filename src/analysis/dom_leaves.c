/* Objects without references: they are on no way to others, so that the search leaves them out.
   What dominates one is the nearest that is above all its referrers in the tree of those: it is
   told instead of a mark, one referrer after the other. */
#include "analysis/dom_graph.h"

#include <stdlib.h>

enum { AHEAD = 24 };

struct leaves {
	const struct dom_graph *g;
	uint32_t first[ROOT_CLASSES], classes; /* numbers of the root classes that count alone */
	uint32_t climbed, reached;             /* by the last climb that counts: to what is above it */
};

static int dom_leaves_ascending(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	return x < y ? -1 : x > y;
}

/* Only ways from the firmest root class count for the firmest ways. */
static void dom_leaves_find_classes(struct leaves *l)
{
	const struct root_nodes *h = l->g->root_nodes;
	for (int c = 0; c < ROOT_CLASSES && l->g->retain == RETAIN_STRONGEST; c++) {
		uint32_t first = l->g->number[root_nodes_node(h, h->root_class[c])];
		if (first < DOM_MARKS)
			l->first[l->classes++] = first;
	}
	qsort(l->first, l->classes, sizeof *l->first, dom_leaves_ascending);
}

/* Are all of the root class of one before all of that of the other one? */
static bool dom_leaves_is_firmer(const struct leaves *l, uint32_t a, uint32_t b)
{
	for (uint32_t c = 0; c < l->classes; c++)
		if (a < l->first[c])
			return b >= l->first[c];
	return false;
}

enum { NEAR = 16 };

/* Referrers after each other are often a step apart, on a long list: then most of the way is that
   of the last climb. */
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

/* The nearest that is above both, or one of them. Dominators of numbers on one way of the search
   lie within each other or apart, so that the third climb ends where they meet. */
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

/* Of what is met so far, and of one more. */
static uint32_t dom_leaves_add(struct leaves *l, uint32_t above, uint32_t referrer)
{
	if (above == referrer || dom_leaves_is_firmer(l, above, referrer))
		return above;
	if (dom_leaves_is_firmer(l, referrer, above))
		return referrer;
	return dom_leaves_common(l, above, referrer);
}

static inline void dom_leaves_meet(struct leaves *l, uint32_t target, uint32_t referrer)
{
	uint32_t *number = &l->g->number[target];
	if (*number == (uint32_t)DOM_ALONE)
		*number = referrer | DOM_LEAF;
	else if (dom_is_leaf(*number))
		*number = dom_leaves_add(l, *number & ~DOM_LEAF, referrer) | DOM_LEAF;
}

void dom_leaves(const struct dom_graph *graph)
{
	struct leaves l = {.g = graph};
	struct edges out = heap_edges(graph->heap);
	uint32_t edges = starts_at(out.starts, graph->objects), e = 0;
	dom_leaves_find_classes(&l);
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
