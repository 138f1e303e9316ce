/* Reuse of the depth-first search for RETAIN_ALIVE by RETAIN_STRONGEST. Removing edges from the
   former graph yields a depth-first search of the latter, and dominators depend on the graph alone.
   The objects that only pools reach form subtrees below the pools' objects; these move to the end,
   below the root nodes of pools. If an edge from outside points into such a subtree, the graph must
   be searched again. */
#include "analysis/dom_graph.h"

#include "base/bound.h"
#include "base/mem.h"

#include <stdlib.h>

struct subtree {
	uint32_t pool, first, end; /* numbers first ... end - 1 */
	uint32_t root_node;        /* the new number of the pool's root node */
	bool nested;               /* within the subtree of an earlier pool */
};

struct reuse {
	struct dom_graph *g;
	struct subtree *subtree; /* by their numbers */
	uint32_t pools;
	uint32_t *renumbered; /* by old number: the new number; NULL: no pools, numbers stay */
	uint32_t first_pool;  /* the new number of the root class of pools */
	uint32_t count;       /* of new numbers */
};

/* Returns false if some pool was not reached, or occurs twice. */
static bool dom_reuse_find_subtrees(struct reuse *r)
{
	const struct dom_graph *g = r->g;
	uint32_t end = 0;
	for (uint32_t i = 0; i < r->pools; i++) {
		uint32_t first = g->number[g->root_nodes->pools.object[i]];
		if (first >= DOM_MARKS)
			return false;
		r->subtree[i] = (struct subtree){i, first, first + 1, 0, false};
	}
	bound_sort(r->subtree, r->pools, BOUND_BY(struct subtree, first));
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

/* Assigns new numbers: first what is below no pool, then the root class of pools, then each pool
   with its subtree. */
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
		struct subtree *s = &r->subtree[i];
		s->root_node = next++;
		for (at = s->first; at < s->end && !s->nested;)
			r->renumbered[at++] = next++;
	}
	r->count = next;
}

/* Returns the number of the root class node from which a number was reached. */
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

/* Returns true if no edge leads into a pool's subtree except to its object. */
static bool dom_reuse_is_closed(const struct reuse *r)
{
	const struct dom_graph *g = r->g;
	for (uint32_t to = 0; to < g->count && r->pools; to++)
		for (uint32_t i = g->into[to]; i < g->into[to + 1]; i++)
			if (dom_reuse_is_pool(r, to) && !dom_reuse_is_pool(r, g->from[i])
			    && !dom_reuse_begins_pool(r, to))
				return false;
	return true;
}

/* Returns true if an edge remains: not those to a stronger root class, nor those into a pool. */
static bool dom_reuse_keeps(const struct reuse *r, uint32_t from, uint32_t to)
{
	bool pool = dom_reuse_is_pool(r, from);
	return pool == dom_reuse_is_pool(r, to) && (pool || to >= dom_reuse_first_of(r->g, from));
}

/* Counts in into[w + 1] the edges to w, including those from root nodes of nested pools. */
static void dom_reuse_count_edges(const struct reuse *r, uint32_t *into)
{
	const struct dom_graph *g = r->g;
	for (uint32_t to = 0; to < g->count; to++) {
		uint32_t kept = 0;
		for (uint32_t i = g->into[to]; i < g->into[to + 1]; i++)
			kept += dom_reuse_keeps(r, g->from[i], to);
		into[r->renumbered[to] + 1] = kept;
	}
	for (uint32_t i = 0; i < r->pools; i++)
		into[r->renumbered[r->subtree[i].first] + 1] += r->subtree[i].nested;
	for (uint32_t w = 0; w < r->count; w++)
		into[w + 1] += into[w];
}

/* Places the edges from the start of each row; a gap at the end is for the root node of a pool. */
static void dom_reuse_place_edges(const struct reuse *r, const uint32_t *into, uint32_t *from)
{
	const struct dom_graph *g = r->g;
	for (uint32_t to = 0; to < g->count; to++) {
		uint32_t at = into[r->renumbered[to]];
		for (uint32_t i = g->into[to]; i < g->into[to + 1]; i++)
			if (dom_reuse_keeps(r, g->from[i], to))
				from[at++] = r->renumbered[g->from[i]];
	}
	for (uint32_t i = 0; i < r->pools; i++)
		if (r->subtree[i].nested)
			from[into[r->renumbered[r->subtree[i].first] + 1] - 1] = r->subtree[i].root_node;
}

static void dom_reuse_edges(const struct reuse *r)
{
	struct dom_graph *g = r->g;
	size_t from_size = (g->into[g->count] + (size_t)r->pools) * sizeof *g->from;
	uint32_t *into = dom_edges_make_into(g), *from = mem_column(from_size);
	dom_reuse_count_edges(r, into);
	dom_reuse_place_edges(r, into, from);
	dom_edges_drop(g);
	g->into = into;
	g->from = from;
	g->from_size = from_size;
}

/* Removes edges in place, if numbers stay. The last number, the class of pools, has none. */
static void dom_reuse_drop_edges(const struct reuse *r)
{
	struct dom_graph *g = r->g;
	uint32_t kept = 0, i = g->into[0];
	for (uint32_t to = 0; to < g->count; to++) {
		uint32_t end = g->into[to + 1];
		for (g->into[to] = kept; i < end; i++)
			if (dom_reuse_keeps(r, g->from[i], to))
				g->from[kept++] = g->from[i];
	}
	g->into[g->count] = g->into[g->count + 1] = kept;
	mem_column_trim(g->from, kept * sizeof *g->from, g->from_size);
}

static void dom_reuse_move(const struct reuse *r)
{
	struct dom_graph *g = r->g;
	uint32_t *parent = mem_column_most(g->column);
	for (uint32_t old = 0; old < g->count; old++)
		parent[r->renumbered[old]] = r->renumbered[g->parent[old]];
	for (uint32_t node = 0; node < g->nodes; node++)
		if (g->number[node] < DOM_MARKS)
			g->number[node] = r->renumbered[g->number[node]];
	mem_column_recycle_part(g->parent, dom_numbers_size(g), g->column);
	g->parent = parent;
}

static void dom_reuse_enter(struct dom_graph *g, uint32_t root_node, uint32_t number,
                            uint32_t parent)
{
	uint32_t node = root_nodes_node(g->root_nodes, root_node);
	g->number[node] = number;
	g->parent[number] = parent;
}

/* Adds the root nodes of pools. A nested pool has two predecessors: the outer pool and its own root
   node. */
static void dom_reuse_enter_pools(const struct reuse *r)
{
	struct dom_graph *g = r->g;
	uint32_t class = g->root_nodes->root_class[ROOT_CLASS_POOL];
	dom_reuse_enter(g, class, r->first_pool, 0);
	for (uint32_t i = 0; i < r->pools; i++) {
		const struct subtree *s = &r->subtree[i];
		dom_reuse_enter(g, class + 1 + s->pool, s->root_node, r->first_pool);
		if (!s->nested)
			g->parent[r->renumbered[s->first]] = s->root_node;
	}
	g->count = r->count;
}

static bool dom_reuse_pools(struct reuse *r)
{
	const struct root_nodes *h = r->g->root_nodes;
	uint32_t timers = h->root_class[ROOT_CLASS_TIMER] + 1;
	if (h->seats || timers < h->root_class[ROOT_CLASS_TIMER + 1])
		return false;
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
	graph->kept = false;
	graph->retain = RETAIN_STRONGEST;
	if (usable) {
		if (r.renumbered) {
			dom_reuse_edges(&r);
			dom_reuse_move(&r);
		} else {
			dom_reuse_drop_edges(&r);
		}
		dom_reuse_enter_pools(&r);
	}
	if (r.renumbered)
		mem_column_free(r.renumbered, graph->column);
	free(r.subtree);
	return usable;
}
