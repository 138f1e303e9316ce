/* A counting sort of the edges by target. Its writes are random, so they are prefetched. */
#include "analysis/dom_graph.h"
#include "base/mem.h"

enum { AHEAD_INTO = 24, AHEAD_FROM = 12 };

static void dom_ways_count(const struct dom_graph *g)
{
	uint32_t end = 0;
	for (uint32_t i = 0; i < g->ways; i++) {
		if (i + AHEAD_INTO < g->ways)
			__builtin_prefetch(&g->into[g->way[i + AHEAD_INTO].to], 1);
		g->into[g->way[i].to]++;
	}
	for (uint32_t w = 0; w < g->count; w++)
		g->into[w] = end += g->into[w]; /* the end of the row; placing the edges turns it into the
		                                   start */
	g->into[g->count] = end;
}

static void dom_ways_place(const struct dom_graph *g)
{
	for (uint32_t i = 0; i < g->ways; i++) {
		if (i + AHEAD_INTO < g->ways)
			__builtin_prefetch(&g->into[g->way[i + AHEAD_INTO].to], 1);
		if (i + AHEAD_FROM < g->ways)
			__builtin_prefetch(&g->from[g->into[g->way[i + AHEAD_FROM].to] - 1], 1);
		g->from[--g->into[g->way[i].to]] = g->way[i].from;
	}
}

uint32_t *dom_ways_make_into(struct dom_graph *g)
{
	g->into_size = ((size_t)g->count + g->root_nodes->pools.count + 3) * sizeof *g->into;
	return mem_column(g->into_size);
}

void dom_ways(struct dom_graph *g)
{
	g->from_size = g->ways * sizeof *g->from;
	g->into = dom_ways_make_into(g);
	g->from = mem_column(g->from_size);
	dom_ways_count(g);
	dom_ways_place(g);
	mem_column_recycle_part(g->way, g->ways * sizeof *g->way, g->way_size);
	g->way = NULL;
}

void dom_ways_drop(struct dom_graph *g)
{
	mem_column_recycle(g->into, g->into_size);
	mem_column_recycle(g->from, g->from_size);
	g->into = g->from = NULL;
}
