/* Dominators as nodes, and the sums over the tree of them. */
#include "analysis/dom_graph.h"

static void take_sizes(const struct dom_graph *g, struct dominators *out)
{
	struct objects_run_view run;
	for (size_t r = 0; r < objects_run_count(g->heap->objects); r++) {
		objects_run(g->heap->objects, r, &run);
		for (uint32_t id = run.first; id < run.first + run.count; id++) {
			out->bytes[id] = run.size;
			out->objects[id] = 1;
		}
	}
}

static void drop(struct dominators *out, uint32_t node)
{
	out->idom[node] = OBJECT_NONE;
	out->bytes[node] = 0;
	out->objects[node] = 0;
}

static inline void dom_retained_give(struct dominators *out, uint32_t node, uint32_t to)
{
	out->idom[node] = to;
	out->bytes[to] += out->bytes[node];
	out->objects[to] += out->objects[node];
}

enum { AHEAD = 16 };

static inline void prefetch_node(const struct dominators *out, uint32_t node)
{
	__builtin_prefetch(&out->idom[node], 1);
	__builtin_prefetch(&out->bytes[node], 1);
	__builtin_prefetch(&out->objects[node], 1);
}

/* What takes no part gives before all others, as nothing gives to it. */
static void retain_leaves(const struct dom_graph *g, struct dominators *out)
{
	for (uint32_t id = 0; id < g->objects; id++) {
		if (g->number[id] < DOM_MARKS)
			continue;
		if (out->idom[id] == OBJECT_NONE)
			drop(out, id);
		else
			dom_retained_give(out, id, out->idom[id]);
	}
}

/* From the last number to the first, so that a node's sum is whole before it is given on. */
static void retain_numbered(const struct dom_graph *g, struct dominators *out)
{
	for (uint32_t w = g->count; w-- > 1;) {
		if (w > 2 * AHEAD) {
			__builtin_prefetch(&g->node[g->parent[w - 2 * AHEAD]]);
			prefetch_node(out, g->node[w - AHEAD]);
			prefetch_node(out, g->node[g->parent[w - AHEAD]]);
		}
		dom_retained_give(out, g->node[w], g->node[g->parent[w]]);
	}
}

void dom_retained(struct dom_graph *graph, struct dominators *out)
{
	take_sizes(graph, out);
	retain_leaves(graph, out);
	for (uint32_t node = graph->objects; node < graph->nodes; node++)
		out->idom[node] = OBJECT_NONE;
	retain_numbered(graph, out);
}
