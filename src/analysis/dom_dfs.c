/* The depth-first search. Root nodes are stored in depth-first order already; only objects need a
   stack, which is allocated on the heap. */
#include "analysis/dom_graph.h"

#include "base/mem.h"
#include "heap/root.h"

enum { STEP = 1 << 14 };

/* References of an object that are not followed yet. */
struct span {
	uint32_t at, end;
};

struct search {
	struct dom_graph *graph;
	struct dom_records records;
	struct span *stack;
	size_t stack_size;
	struct progress *progress;
};

/* Records an edge to a numbered node. Edges to a stronger root class do not count. */
static inline void dom_dfs_note(struct dom_graph *g, uint32_t from, uint32_t to)
{
	if (to < DOM_RECORD_FRESH && to >= g->first && to != from)
		dom_edges_put(&g->edges, from, to);
}

/* Prefetches the records that an object references, which the search reads next. */
enum { MARKS = 8 };

/* Assigns a number to the object whose record is at `at`, and returns its references. */
static inline struct span dom_dfs_enter(struct search *s, uint32_t at, uint32_t parent)
{
	uint32_t *word = s->records.word, number = s->graph->count++;
	struct span span = {at + 1, at + 1 + (word[at] - DOM_RECORD_FRESH)};
	word[at] = number;
	s->graph->parent[number] = parent;
	for (uint32_t i = span.at; i < span.end && i < span.at + MARKS; i++)
		__builtin_prefetch(&word[word[i]], 1);
	return span;
}

/* Visits an object and all that it reaches. False: cancelled. */
static bool descend(struct search *s, uint32_t record, uint32_t parent)
{
	struct dom_graph *g = s->graph;
	const uint32_t *word = s->records.word;
	size_t depth = 0;
	uint32_t current = g->count;
	struct span span = dom_dfs_enter(s, record, parent);
	for (;;) {
		while (span.at == span.end) {
			if (depth == 0)
				return true;
			span = s->stack[--depth];
			current = g->parent[current];
		}
		uint32_t target = word[span.at++], mark = word[target];
		if (mark < DOM_RECORD_FRESH || mark == DOM_RECORD_HELD) {
			dom_dfs_note(g, current, mark);
			continue;
		}
		s->stack[depth++] = span;
		uint32_t number = g->count;
		span = dom_dfs_enter(s, target, current);
		current = number;
		if (number % STEP == 0 && !progress_step(s->progress, number))
			return false;
	}
}

static bool dom_dfs_follow(struct search *s, uint32_t object, uint32_t parent)
{
	uint32_t at = dom_record_at(&s->records, object), mark = s->records.word[at];
	if (mark >= DOM_RECORD_FRESH && mark != DOM_RECORD_HELD)
		return descend(s, at, parent);
	dom_dfs_note(s->graph, parent, mark);
	return true;
}

static bool follow_targets(struct search *s, uint32_t root_node, uint32_t parent)
{
	const struct dom_graph *g = s->graph;
	const uint32_t *row = g->root_nodes->row;
	struct ids to = {g->root_nodes->target + row[root_node], row[root_node + 1] - row[root_node]};
	bool done = true;
	if (g->members)
		to = edges_of(g->references, g->objects + root_node);
	for (size_t i = 0; i < to.count && done; i++)
		done = dom_dfs_follow(s, to.id[i], parent);
	return done;
}

/* Returns true for the first root node behind those of the page. */
static bool dom_dfs_leaves_page(const struct dom_graph *g, const struct root_node *root_node)
{
	const struct heap *heap = g->root_nodes->heap;
	bool of_page = root_node->kind == ROOT_NODE_ALL
	               || (root_node->kind == ROOT_NODE_CLASS && root_node->index == ROOT_CLASS_GLOBAL)
	               || (root_node->kind == ROOT_NODE_LOG
	                   && root_is_of_page(heap, heap_root(heap, root_node->index)));
	return g->page && !g->beyond && !of_page;
}

static bool visit_root_node(struct search *s, uint32_t index)
{
	struct dom_graph *g = s->graph;
	const struct root_node *root_node = &g->root_nodes->root_node[index];
	uint32_t number = g->count++;
	if (dom_dfs_leaves_page(g, root_node)) {
		g->beyond = true;
		g->first = number;
	}
	if (root_node->kind == ROOT_NODE_CLASS) {
		if (g->retain == RETAIN_STRONGEST)
			g->first = number;
		if (g->retain == RETAIN_STRONGEST && root_node->index == ROOT_CLASS_POOL)
			dom_records_hold(&s->records, g, false);
	}
	g->number[g->objects + index] = number;
	g->parent[number] = index ? g->number[g->objects + root_node->parent] : 0;
	return follow_targets(s, index, number);
}

static bool visit_root_nodes(struct search *s)
{
	struct dom_graph *g = s->graph;
	bool visited = true, done = true;
	for (uint32_t h = 0; h < g->root_nodes->count && done; h++) {
		const struct root_node *root_node = &g->root_nodes->root_node[h];
		if (root_node->kind == ROOT_NODE_CLASS)
			visited = dom_takes_part(g->retain, root_node->index);
		g->number[g->objects + h] = (uint32_t)DOM_FRESH;
		if (visited && (!g->members || ranks_has(g->members, root_nodes_node(g->root_nodes, h))))
			done = visit_root_node(s, h);
	}
	return done;
}

bool dom_dfs(struct dom_graph *graph, struct progress *progress)
{
	size_t stack_size = graph->objects * sizeof(struct span);
	struct search s = {.graph = graph,
	                   .stack = mem_column_most(stack_size),
	                   .stack_size = stack_size,
	                   .progress = progress};
	progress_begin(progress, "numbering what is reachable", graph->objects);
	dom_records_init(&s.records, graph);
	if (graph->retain == RETAIN_STRONGEST)
		dom_records_hold(&s.records, graph, true);
	bool done = visit_root_nodes(&s);
	mem_column_free(s.stack, s.stack_size);
	if (done)
		dom_records_number(&s.records, graph);
	dom_records_fini(&s.records);
	return done;
}
