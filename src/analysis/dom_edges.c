/* The edges of the search, and a counting sort of them by target. Its writes are random, so they
   are prefetched. */
#include "analysis/dom_graph.h"

#include "base/mem.h"

enum { AHEAD_INTO = 32, AHEAD_FROM = 16 }; /* in words */

void dom_edges_init(struct dom_edges *edges, uint64_t most)
{
	*edges = (struct dom_edges){.size = (2 * most + 1) * sizeof *edges->word};
	edges->word = mem_column_most(edges->size);
}

void dom_edges_fini(struct dom_edges *edges)
{
	mem_column_recycle_part(edges->word, edges->used * sizeof *edges->word, edges->size);
	edges->word = NULL;
}

static void dom_edges_count(const struct dom_graph *g)
{
	const uint32_t *word = g->edges.word;
	uint32_t end = 0;
	for (size_t i = 0; i < g->edges.used; i++) {
		if (i + AHEAD_INTO < g->edges.used)
			__builtin_prefetch(&g->into[word[i + AHEAD_INTO] & ~DOM_EDGES_FROM], 1);
		g->into[word[i] & ~DOM_EDGES_FROM] += word[i] < DOM_EDGES_FROM;
	}
	for (uint32_t w = 0; w < g->count; w++)
		/* the end of the row; placing the edges turns it into the start */
		g->into[w] = end += g->into[w];
	g->into[g->count] = end;
}

static void dom_edges_place(const struct dom_graph *g)
{
	const uint32_t *word = g->edges.word;
	uint32_t from = 0;
	for (size_t i = 0; i < g->edges.used; i++) {
		if (i + AHEAD_INTO < g->edges.used)
			__builtin_prefetch(&g->into[word[i + AHEAD_INTO] & ~DOM_EDGES_FROM], 1);
		if (i + AHEAD_FROM < g->edges.used && word[i + AHEAD_FROM] < DOM_EDGES_FROM)
			__builtin_prefetch(&g->from[g->into[word[i + AHEAD_FROM]] - 1], 1);
		if (word[i] < DOM_EDGES_FROM)
			g->from[--g->into[word[i]]] = from;
		else
			from = word[i] & ~DOM_EDGES_FROM;
	}
}

void dom_edges_sort(struct dom_graph *g)
{
	g->from_size = g->edges.count * sizeof *g->from;
	g->into_size = ((size_t)g->count + 1) * sizeof *g->into;
	g->into = mem_column(g->into_size);
	g->from = mem_column(g->from_size);
	dom_edges_count(g);
	dom_edges_place(g);
	dom_edges_fini(&g->edges);
}

void dom_edges_drop(struct dom_graph *g)
{
	mem_column_recycle(g->into, g->into_size);
	mem_column_recycle(g->from, g->from_size);
	g->into = g->from = NULL;
}
