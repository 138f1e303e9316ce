/* Dominators by node, and retained sizes as sums over the dominator tree. The sums are by number,
   because neighbors in the tree have numbers close to each other. */
#include "analysis/dom_graph.h"

#include "base/mem.h"
#include "heap/objects.h"

enum { AHEAD = 16 };

static uint32_t *dom_retained_nodes(const struct dom_graph *g)
{
	uint32_t *node = mem_column(dom_numbers_size(g));
	for (uint32_t n = 0; n < g->nodes; n++) {
		if (n + AHEAD < g->nodes && g->number[n + AHEAD] < DOM_LEAF)
			__builtin_prefetch(&node[g->number[n + AHEAD]], 1);
		if (g->number[n] < DOM_LEAF)
			node[g->number[n]] = n;
	}
	return node;
}

/* Returns the number of a node's dominator. */
static inline uint32_t dom_retained_above(const struct dom_graph *g, uint32_t number)
{
	if (dom_is_leaf(number))
		return number & ~DOM_LEAF;
	return number && number < DOM_LEAF ? g->dominator[number] : OBJECT_NONE;
}

static inline void dom_retained_prefetch(const struct dom_graph *g, const uint32_t *node,
                                         uint32_t n)
{
	if (n + 2 * AHEAD < g->nodes && g->number[n + 2 * AHEAD] < DOM_LEAF)
		__builtin_prefetch(&g->dominator[g->number[n + 2 * AHEAD]]);
	if (n + AHEAD >= g->nodes)
		return;
	uint32_t above = dom_retained_above(g, g->number[n + AHEAD]);
	if (above != OBJECT_NONE)
		__builtin_prefetch(&node[above]);
}

static void dom_retained_store(const struct dom_graph *g, struct dominators *out)
{
	uint32_t *node = dom_retained_nodes(g);
	out->idom = mem_column(g->nodes * sizeof *out->idom);
	for (uint32_t n = 0; n < g->nodes; n++) {
		dom_retained_prefetch(g, node, n);
		uint32_t above = dom_retained_above(g, g->number[n]);
		out->idom[n] = above == OBJECT_NONE ? OBJECT_NONE : node[above];
	}
	mem_column_recycle(node, dom_numbers_size(g));
}

static inline void dom_retained_add(const struct dom_sums *s, uint32_t to, uint64_t bytes,
                                    uint32_t objects)
{
	bytes += dom_sum_bytes(s, to);
	s->sum[to].low = (uint32_t)bytes;
	s->sum[to].objects += objects;
	if (s->high)
		s->high[to] = (uint32_t)(bytes >> 32);
}

/* Adds the own size of each object; a leaf that takes no part adds it to its dominator. */
static void dom_retained_own(const struct dom_graph *g, const struct dom_sums *s)
{
	struct objects_run_view run;
	for (size_t r = 0; r < objects_run_count(heap_objects(g->root_nodes->heap)); r++) {
		objects_run(heap_objects(g->root_nodes->heap), r, &run);
		for (uint32_t id = run.first; id < run.first + run.count; id++) {
			uint32_t number = g->number[id];
			if (id + AHEAD < g->objects && g->number[id + AHEAD] < DOM_MARKS)
				__builtin_prefetch(&s->sum[g->number[id + AHEAD] & ~DOM_LEAF], 1);
			if (number < DOM_MARKS)
				dom_retained_add(s, number & ~DOM_LEAF, run.size, 1);
			if (dom_is_leaf(number))
				g->number[id] = (uint32_t)DOM_ALONE;
		}
	}
}

void dom_retained(struct dom_graph *graph, struct dominators *out)
{
	size_t size = graph->count * sizeof(struct dom_sum);
	mem_column_recycle(graph->jump, graph->jump_size);
	graph->jump = NULL;
	dom_retained_store(graph, out);
	struct dom_sums sums = {.sum = mem_column_whole(size)};
	if (objects_bytes(heap_objects(graph->root_nodes->heap)) > UINT32_MAX)
		sums.high = mem_column(dom_numbers_size(graph));
	dom_retained_own(graph, &sums);
	/* from the last number to the first, so that a sum is complete before it is added */
	for (uint32_t w = graph->count; w-- > 1;)
		dom_retained_add(&sums, graph->dominator[w], dom_sum_bytes(&sums, w), sums.sum[w].objects);
	mem_column_recycle(graph->dominator, dom_numbers_size(graph));
	graph->dominator = NULL;
	dom_sums_init(out, graph->number, &sums);
	mem_column_recycle(sums.sum, size);
	mem_column_recycle(sums.high, dom_numbers_size(graph));
}
