/* The depth-first search. Root nodes are met in their order, which is that of such a search; only
   objects need a stack, and it is not the machine's. */
#include "analysis/dom_graph.h"

#include "base/mem.h"

#include <string.h>

enum { STEP = 1 << 14 };

/* References of an object that are still to be followed. */
struct span {
	uint32_t at, end;
};

struct search {
	struct dom_graph *graph;
	struct edges edges;
	struct span *stack;
	size_t stack_size;
	struct progress *progress;
};

static void mark_objects(struct dom_graph *g)
{
	struct edges out = heap_edges(g->heap);
	for (uint32_t id = 0; id < g->objects; id++)
		g->number[id] = (uint32_t)(out.row[id] == out.row[id + 1] ? DOM_ALONE : DOM_FRESH);
}

/* What root nodes point at takes part: not only its referrers lead to it. */
static void mark_rooted(struct dom_graph *g)
{
	const struct root_nodes *h = g->root_nodes;
	uint32_t end = h->row[h->count];
	for (uint32_t i = 0; i < end; i++) {
		uint32_t *number = &g->number[h->target[i]];
		if (*number == (uint32_t)DOM_ALONE)
			*number = (uint32_t)DOM_LEAF;
	}
}

static void mark_pools(struct dom_graph *g, bool held)
{
	struct edges out = heap_edges(g->heap);
	for (uint32_t i = 0; i < g->root_nodes->pools.count; i++) {
		uint32_t object = g->root_nodes->pools.object[i];
		bool leaf = out.row[object] == out.row[object + 1];
		g->number[object] = (uint32_t)(held ? DOM_HELD : leaf ? DOM_LEAF : DOM_FRESH);
	}
}

static inline uint32_t dom_dfs_enter(struct dom_graph *g, uint32_t node, uint32_t parent)
{
	uint32_t number = g->count++;
	g->number[node] = number;
	g->node[number] = node;
	g->parent[number] = parent;
	return number;
}

/* A way to what may have a number already. From a firmer root class there is none that counts. */
static inline void dom_dfs_note(struct dom_graph *g, uint32_t from, uint32_t to)
{
	if (to < DOM_MARKS && to >= g->first && to != from)
		g->way[g->ways++] = (struct dom_edge){from, to};
}

/* What is needed next: the marks of what an object points at. */
enum { MARKS = 8 };

static inline struct span open_span(const struct search *s, uint32_t object)
{
	struct span span = {s->edges.row[object], s->edges.row[object + 1]};
	for (uint32_t i = span.at; i < span.end && i < span.at + MARKS; i++)
		__builtin_prefetch(&s->graph->number[s->edges.to[i]], 1);
	return span;
}

/* Everything below an object that has just got its number. False: cancelled. */
static bool descend(struct search *s, uint32_t object, uint32_t current)
{
	struct dom_graph *g = s->graph;
	size_t depth = 0;
	struct span span = open_span(s, object);
	for (;;) {
		while (span.at == span.end) {
			if (depth == 0)
				return true;
			span = s->stack[--depth];
			current = g->parent[current];
		}
		uint32_t target = s->edges.to[span.at++], mark = g->number[target];
		if (mark < (uint32_t)DOM_LEAF) {
			dom_dfs_note(g, current, mark);
			continue;
		}
		uint32_t number = dom_dfs_enter(g, target, current);
		if (mark == (uint32_t)DOM_LEAF)
			continue;
		s->stack[depth++] = span;
		span = open_span(s, target);
		current = number;
		if (number % STEP == 0 && !progress_step(s->progress, number))
			return false;
	}
}

static bool follow_targets(struct search *s, uint32_t root_node, uint32_t parent)
{
	const struct root_nodes *h = s->graph->root_nodes;
	for (uint32_t i = h->row[root_node]; i < h->row[root_node + 1]; i++) {
		uint32_t object = h->target[i], mark = s->graph->number[object];
		if (mark < (uint32_t)DOM_LEAF) {
			dom_dfs_note(s->graph, parent, mark);
			continue;
		}
		uint32_t number = dom_dfs_enter(s->graph, object, parent);
		if (mark == (uint32_t)DOM_FRESH && !descend(s, object, number))
			return false;
	}
	return true;
}

static void begin_root_class(struct dom_graph *g, uint32_t root_class)
{
	g->class_first[root_class] = g->count;
	if (g->retain == RETAIN_STRONGEST)
		g->first = g->count;
	if (g->retain == RETAIN_STRONGEST && root_class == ROOT_CLASS_POOL)
		mark_pools(g, false);
}

static bool visit_root_node(struct search *s, uint32_t index)
{
	struct dom_graph *g = s->graph;
	const struct root_node *root_node = &g->root_nodes->root_node[index];
	if (root_node->kind == ROOT_NODE_CLASS)
		begin_root_class(g, root_node->index);
	uint32_t parent = g->number[root_nodes_node(g->root_nodes, root_node->parent)];
	uint32_t number = dom_dfs_enter(g, root_nodes_node(g->root_nodes, index), index ? parent : 0);
	return follow_targets(s, index, number);
}

/* A pool is a root node to the firmest ways only: to others, whatever holds the pool holds what is
   in it. */
static bool takes_part(enum retain retain, enum root_class root_class)
{
	if (root_class == ROOT_CLASS_POOL)
		return retain == RETAIN_STRONGEST;
	return root_class != ROOT_CLASS_WEAK || retain == RETAIN_WEAK;
}

static bool visit_root_nodes(struct search *s)
{
	struct dom_graph *g = s->graph;
	bool visited = true, done = true;
	for (uint32_t h = 0; h < g->root_nodes->count && done; h++) {
		const struct root_node *root_node = &g->root_nodes->root_node[h];
		if (root_node->kind == ROOT_NODE_CLASS)
			visited = takes_part(g->retain, root_node->index);
		g->number[root_nodes_node(g->root_nodes, h)] = (uint32_t)DOM_FRESH;
		if (visited)
			done = visit_root_node(s, h);
	}
	return done;
}

bool dom_dfs(struct dom_graph *graph, struct progress *progress)
{
	size_t stack_size = graph->objects * sizeof(struct span);
	struct search s = {graph, heap_edges(graph->heap), mem_column(stack_size), stack_size,
	                   progress};
	progress_begin(progress, "numbering what is reachable", graph->objects);
	mark_objects(graph);
	mark_rooted(graph);
	mark_pools(graph, graph->retain == RETAIN_STRONGEST);
	bool done = visit_root_nodes(&s);
	mem_column_free(s.stack, s.stack_size);
	return done;
}
