/* Dominators as nodes, and the sums over the tree of them. */
#include "analysis/dom_graph.h"

#include "base/mem.h"

enum { AHEAD = 16 };

static uint32_t *dom_retained_nodes(const struct dom_graph *g)
{
	uint32_t *node = mem_column(g->column);
	for (uint32_t n = 0; n < g->nodes; n++) {
		if (n + AHEAD < g->nodes && g->number[n + AHEAD] < DOM_LEAF)
			__builtin_prefetch(&node[g->number[n + AHEAD]], 1);
		if (g->number[n] < DOM_LEAF)
			node[g->number[n]] = n;
	}
	return node;
}

/* The number of a node's dominator. */
static uint32_t dom_retained_above(const struct dom_graph *g, uint32_t number)
{
	if (dom_is_leaf(number))
		return number & ~DOM_LEAF;
	return number && number < DOM_LEAF ? g->dominator[number] : OBJECT_NONE;
}

static void dom_retained_tell(const struct dom_graph *g, struct dominators *out,
                              const uint32_t *node)
{
	for (uint32_t n = 0; n < g->nodes; n++) {
		uint32_t above = dom_retained_above(g, g->number[n]);
		out->idom[n] = above == OBJECT_NONE ? OBJECT_NONE : node[above];
		if (dom_is_leaf(g->number[n]))
			g->number[n] = (uint32_t)DOM_ALONE;
	}
}

static inline void dom_retained_give(struct dominators *out, uint64_t *sum, uint32_t to,
                                     uint64_t bytes, uint32_t objects)
{
	uint32_t at = ranks_at(&out->inner, to);
	sum[at] += bytes;
	out->inner_objects[at] += objects;
}

/* What each retains but for those that dominate others. */
static void dom_retained_own(const struct dom_graph *g, struct dominators *out, uint64_t *sum)
{
	struct objects_run_view run;
	for (size_t r = 0; r < objects_run_count(g->heap->objects); r++) {
		objects_run(g->heap->objects, r, &run);
		for (uint32_t id = run.first; id < run.first + run.count; id++)
			if (ranks_has(&out->inner, id))
				dom_retained_give(out, sum, id, run.size, 1);
			else if (out->idom[id] != OBJECT_NONE)
				dom_retained_give(out, sum, out->idom[id], run.size, 1);
	}
}

/* From the last number to the first, so that a node's sum is whole before it is given on. */
static void dom_retained_inner(const struct dom_graph *g, struct dominators *out, uint64_t *sum,
                               const uint32_t *node)
{
	for (uint32_t w = g->count; w-- > 1;) {
		if (w > AHEAD)
			__builtin_prefetch(&out->idom[node[w - AHEAD]]);
		if (!ranks_has(&out->inner, node[w]))
			continue;
		uint32_t at = ranks_at(&out->inner, node[w]);
		dom_retained_give(out, sum, out->idom[node[w]], sum[at], out->inner_objects[at]);
	}
}

void dom_retained(struct dom_graph *graph, struct dominators *out)
{
	uint32_t *node = dom_retained_nodes(graph);
	dom_retained_tell(graph, out, node);
	mem_column_free(graph->dominator, graph->column);
	graph->dominator = NULL;
	dom_sums_init(out);
	size_t sum_size = out->inner.count * sizeof(uint64_t);
	uint64_t *sum = mem_column(sum_size);
	dom_retained_own(graph, out, sum);
	dom_retained_inner(graph, out, sum, node);
	mem_column_free(node, graph->column);
	dom_sums_take_bytes(out, sum);
	mem_column_free(sum, sum_size);
}
