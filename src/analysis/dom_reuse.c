/* The search for all ways serves for the firmest ones, too: a depth-first search of their graph
   comes from it by leaving ways out, and dominators depend on the graph alone. What only pools lead
   to are the subtrees of their objects, which move to the end, below the root nodes of pools. Where
   something outside of them points into one, it has to be searched anew. */
#include "analysis/dom_graph.h"

#include "base/mem.h"

#include <stdlib.h>

struct subtree {
	uint32_t pool, first, end; /* numbers first ... end - 1 */
	bool nested;               /* in the one of another pool before it */
};

struct reuse {
	struct dom_graph *g;
	struct subtree *subtree; /* by their numbers */
	uint32_t pools;
	uint32_t *renumbered; /* by number in the search for all ways; NULL: no pool, all stay */
	uint32_t first_pool;  /* the new number of the root class of pools */
	uint32_t count;       /* of new numbers */
};

static int dom_reuse_by_number(const void *a, const void *b)
{
	const struct subtree *x = a, *y = b;
	return x->first < y->first ? -1 : x->first > y->first;
}

/* False: some pool has not been met, or is there twice. */
static bool dom_reuse_find_subtrees(struct reuse *r)
{
	const struct dom_graph *g = r->g;
	uint32_t end = 0;
	for (uint32_t i = 0; i < r->pools; i++) {
		uint32_t first = g->number[g->root_nodes->pools.object[i]];
		if (first >= DOM_MARKS)
			return false;
		r->subtree[i] = (struct subtree){i, first, first + 1, false};
	}
	qsort(r->subtree, r->pools, sizeof *r->subtree, dom_reuse_by_number);
	for (uint32_t i = 0; i < r->pools; i++) {
		struct subtree *s = &r->subtree[i];
		if (i && s->first == r->subtree[i - 1].first)
			return false;
		s->nested = s->first < end;
		while (s->end < g->count && g->parent[s->end] >= s->first)
			s->end++;
		end = s->nested ? end : s->end;
	}
	return true;
}

/* What is below no pool, then the root class of pools, then each with what is below it. */
static void dom_reuse_renumber(struct reuse *r)
{
	uint32_t at = 0, next = 0;
	for (uint32_t i = 0; i <= r->pools; i++) {
		uint32_t first = i < r->pools ? r->subtree[i].first : r->g->count;
		while (at < first)
			r->renumbered[at++] = next++;
		if (i < r->pools && at < r->subtree[i].end)
			at = r->subtree[i].end;
	}
	r->first_pool = next++;
	for (uint32_t i = 0; i < r->pools; i++) {
		const struct subtree *s = &r->subtree[i];
		for (at = s->first, next++; at < s->end && !s->nested;)
			r->renumbered[at++] = next++;
	}
	r->count = next;
}

/* The first number of the root class that a number was met from. */
static uint32_t dom_reuse_first_of(const struct dom_graph *g, uint32_t number)
{
	uint32_t first = 0;
	for (int c = 0; c < ROOT_CLASSES; c++)
		if (g->class_first[c] <= number && g->class_first[c] > first)
			first = g->class_first[c];
	return first;
}

static bool dom_reuse_is_pool(const struct reuse *r, uint32_t number)
{
	return r->renumbered && r->renumbered[number] >= r->first_pool;
}

static bool dom_reuse_begins_pool(const struct reuse *r, uint32_t number)
{
	for (uint32_t i = 0; i < r->pools; i++)
		if (r->subtree[i].first == number)
			return true;
	return false;
}

/* Does no way lead below a pool but through its object? */
static bool dom_reuse_is_closed(const struct reuse *r)
{
	for (uint32_t i = 0; i < r->g->ways && r->pools; i++) {
		struct dom_edge way = r->g->way[i];
		if (dom_reuse_is_pool(r, way.to) && !dom_reuse_is_pool(r, way.from)
		    && !dom_reuse_begins_pool(r, way.to))
			return false;
	}
	return true;
}

/* Those to a firmer root class do not count, nor those into a pool. */
static void dom_reuse_filter_ways(const struct reuse *r)
{
	struct dom_graph *g = r->g;
	uint32_t kept = 0;
	for (uint32_t i = 0; i < g->ways; i++) {
		struct dom_edge way = g->way[i];
		bool pool = dom_reuse_is_pool(r, way.from);
		if (pool != dom_reuse_is_pool(r, way.to)
		    || (!pool && way.to < dom_reuse_first_of(g, way.from)))
			continue;
		if (r->renumbered)
			way = (struct dom_edge){r->renumbered[way.from], r->renumbered[way.to]};
		g->way[kept++] = way;
	}
	g->ways = kept;
}

static void dom_reuse_move(const struct reuse *r)
{
	struct dom_graph *g = r->g;
	uint32_t *node = mem_column(g->column), *parent = mem_column(g->column);
	for (uint32_t old = 0; old < g->count; old++) {
		uint32_t number = r->renumbered[old];
		node[number] = g->node[old];
		parent[number] = r->renumbered[g->parent[old]];
		g->number[g->node[old]] = number;
	}
	mem_column_free(g->node, g->column);
	mem_column_free(g->parent, g->column);
	g->node = node;
	g->parent = parent;
}

static void dom_reuse_enter(struct dom_graph *g, uint32_t root_node, uint32_t number,
                            uint32_t parent)
{
	uint32_t node = root_nodes_node(g->root_nodes, root_node);
	g->number[node] = number;
	g->node[number] = node;
	g->parent[number] = parent;
}

/* A pool below another is held by that one and by its own root node. */
static void dom_reuse_enter_pools(const struct reuse *r)
{
	struct dom_graph *g = r->g;
	uint32_t class = g->root_nodes->root_class[ROOT_CLASS_POOL], next = r->first_pool;
	dom_reuse_enter(g, class, next++, 0);
	for (uint32_t i = 0; i < r->pools; i++) {
		const struct subtree *s = &r->subtree[i];
		uint32_t first = r->renumbered[s->first];
		dom_reuse_enter(g, class + 1 + s->pool, next, r->first_pool);
		if (s->nested)
			g->way[g->ways++] = (struct dom_edge){next, first};
		else
			g->parent[first] = next;
		next += 1 + (s->nested ? 0 : s->end - s->first);
	}
	g->count = r->count;
}

static bool dom_reuse_pools(struct reuse *r)
{
	if (!r->pools)
		return true;
	if (!dom_reuse_find_subtrees(r))
		return false;
	dom_reuse_renumber(r);
	return dom_reuse_is_closed(r);
}

bool dom_reuse(struct dom_graph *graph)
{
	uint32_t pools = graph->root_nodes->pools.count;
	struct reuse r = {
		.g = graph, .pools = pools, .first_pool = graph->count, .count = graph->count + 1};
	if (pools) {
		r.subtree = mem_alloc(pools * sizeof *r.subtree);
		r.renumbered = mem_column(graph->column);
	}
	bool usable = dom_reuse_pools(&r);
	if (usable) {
		dom_reuse_filter_ways(&r);
		if (r.renumbered)
			dom_reuse_move(&r);
		dom_reuse_enter_pools(&r);
	}
	if (r.renumbered)
		mem_column_free(r.renumbered, graph->column);
	free(r.subtree);
	return usable;
}
