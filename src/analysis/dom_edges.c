/* A counting sort of the edges by target. Its writes are random, so they are prefetched. */
#include "analysis/dom_graph.h"
#include "base/mem.h"

enum { AHEAD_INTO = 24, AHEAD_FROM = 12 };

static void dom_edges_count(const struct dom_graph *g)
{
	uint32_t end = 0;
	for (uint32_t i = 0; i < g->edge_count; i++) {
		if (i + AHEAD_INTO < g->edge_count)
			__builtin_prefetch(&g->into[g->edge[i + AHEAD_INTO].to], 1);
		g->into[g->edge[i].to]++;
	}
	for (uint32_t w = 0; w < g->count; w++)
		/* the end of the row; placing the edges turns it into the start */
		g->into[w] = end += g->into[w];
	g->into[g->count] = end;
}

static void dom_edges_place(const struct dom_graph *g)
{
	for (uint32_t i = 0; i < g->edge_count; i++) {
		if (i + AHEAD_INTO < g->edge_count)
			__builtin_prefetch(&g->into[g->edge[i + AHEAD_INTO].to], 1);
		if (i + AHEAD_FROM < g->edge_count)
			__builtin_prefetch(&g->from[g->into[g->edge[i + AHEAD_FROM].to] - 1], 1);
		g->from[--g->into[g->edge[i].to]] = g->edge[i].from;
	}
}

uint32_t *dom_edges_make_into(struct dom_graph *g)
{
	g->into_size = ((size_t)g->count + g->root_nodes->pools.count + 3) * sizeof *g->into;
	return mem_column(g->into_size);
}

void dom_edges_sort(struct dom_graph *g)
{
	g->from_size = g->edge_count * sizeof *g->from;
	g->into = dom_edges_make_into(g);
	g->from = mem_column(g->from_size);
	dom_edges_count(g);
	dom_edges_place(g);
	mem_column_recycle_part(g->edge, g->edge_count * sizeof *g->edge, g->edge_size);
	g->edge = NULL;
}

void dom_edges_drop(struct dom_graph *g)
{
	mem_column_recycle(g->into, g->into_size);
	mem_column_recycle(g->from, g->from_size);
	g->into = g->from = NULL;
}
