/* Dominators as nodes, and the sums over the tree of them. */
#include "analysis/dom_graph.h"

enum { AHEAD = 16 };

/* What takes no part has its dominator already. */
static void dom_retained_tell(const struct dom_graph *g, struct dominators *out)
{
	for (uint32_t node = g->objects; node < g->nodes; node++)
		out->idom[node] = OBJECT_NONE;
	for (uint32_t w = g->count; w-- > 1;) {
		if (w > 2 * AHEAD) {
			__builtin_prefetch(&g->node[g->parent[w - 2 * AHEAD]]);
			__builtin_prefetch(&out->idom[g->node[w - AHEAD]], 1);
		}
		out->idom[g->node[w]] = g->node[g->parent[w]];
	}
}

static inline void dom_retained_give(struct dominators *out, uint32_t to, uint64_t bytes,
                                     uint32_t objects)
{
	uint32_t at = dom_sums_at(out, to);
	out->inner_bytes[at] += bytes;
	out->inner_objects[at] += objects;
}

/* What each retains but for those that dominate others. */
static void dom_retained_own(const struct dom_graph *g, struct dominators *out)
{
	struct objects_run_view run;
	for (size_t r = 0; r < objects_run_count(g->heap->objects); r++) {
		objects_run(g->heap->objects, r, &run);
		for (uint32_t id = run.first; id < run.first + run.count; id++)
			if (word_bit_is_set(out->inner, id))
				dom_retained_give(out, id, run.size, 1);
			else if (out->idom[id] != OBJECT_NONE)
				dom_retained_give(out, out->idom[id], run.size, 1);
	}
}

/* From the last number to the first, so that a node's sum is whole before it is given on. */
static void dom_retained_inner(const struct dom_graph *g, struct dominators *out)
{
	for (uint32_t w = g->count; w-- > 1;) {
		uint32_t node = g->node[w];
		if (w > AHEAD)
			__builtin_prefetch(&out->idom[g->node[w - AHEAD]]);
		if (!word_bit_is_set(out->inner, node))
			continue;
		uint32_t at = dom_sums_at(out, node);
		dom_retained_give(out, out->idom[node], out->inner_bytes[at], out->inner_objects[at]);
	}
}

void dom_retained(struct dom_graph *graph, struct dominators *out)
{
	dom_retained_tell(graph, out);
	dom_sums_init(out);
	dom_retained_own(graph, out);
	dom_retained_inner(graph, out);
}
