/* Objects without references: they are on no way to others, so that the search leaves them out.
   What dominates one is the nearest that is above all its referrers in the tree of those. */
#include "analysis/dom_graph.h"

enum { AHEAD = 16 };

/* Where the numbers of the root class of a number end, if only ways from the same one count. */
static uint32_t dom_leaves_end(const struct dom_graph *g, uint32_t number)
{
	const struct root_nodes *h = g->root_nodes;
	uint32_t end = g->count;
	for (int c = 0; c < ROOT_CLASSES && g->retain == RETAIN_STRONGEST; c++) {
		uint32_t first = g->number[root_nodes_node(h, h->root_class[c])];
		if (first > number && first < end)
			end = first;
	}
	return end;
}

/* The nearest that is above both, or one of them: the deeper climbs, then both by the same steps,
   as jumps of the same depth are of the same length. */
static uint32_t dom_leaves_common(const struct dom_graph *g, uint32_t a, uint32_t b)
{
	const struct dom_jump *jump = g->jump;
	if (jump[a].depth < jump[b].depth) {
		uint32_t deeper = b;
		b = a;
		a = deeper;
	}
	uint32_t depth = jump[b].depth;
	while (jump[a].depth > depth)
		a = jump[jump[a].to].depth >= depth ? jump[a].to : g->dominator[a];
	while (a != b) {
		bool far = jump[a].to != jump[b].to;
		a = far ? jump[a].to : g->dominator[a];
		b = far ? jump[b].to : g->dominator[b];
	}
	return a;
}

/* As a number, or a mark: nothing that is reachable points at it. */
static uint32_t dom_leaves_dominator(const struct dom_graph *g, struct ids referrers)
{
	const uint32_t *number = g->number;
	uint32_t first = DOM_MARKS;
	if (referrers.count == 1)
		return number[referrers.id[0]];
	for (size_t i = 0; i < referrers.count; i++)
		if (number[referrers.id[i]] < first)
			first = number[referrers.id[i]];
	if (first == DOM_MARKS)
		return first;
	uint32_t end = dom_leaves_end(g, first), above = first;
	for (size_t i = 0; i < referrers.count && above; i++)
		if (number[referrers.id[i]] < end)
			above = dom_leaves_common(g, above, number[referrers.id[i]]);
	return above;
}

void dom_leaves(const struct dom_graph *graph, struct dominators *out)
{
	struct edges in = heap_back_edges(graph->heap);
	uint32_t edges = in.row[graph->objects];
	for (uint32_t id = 0; id < graph->objects; id++) {
		uint32_t at = in.row[id], above = DOM_MARKS;
		if (at + AHEAD < edges)
			__builtin_prefetch(&graph->number[in.to[at + AHEAD]]);
		if (graph->number[id] < DOM_MARKS)
			continue;
		if (graph->number[id] == (uint32_t)DOM_ALONE && at < in.row[id + 1])
			above = dom_leaves_dominator(graph, (struct ids){in.to + at, in.row[id + 1] - at});
		out->idom[id] = above < DOM_MARKS ? above : OBJECT_NONE;
	}
}
