/* The depth-first search. Root nodes are stored in depth-first order already; only objects need a
   stack, which is allocated on the heap. */
#include "analysis/dom_graph.h"

#include "base/mem.h"

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
	uint32_t seat; /* the next seat */
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
	const struct root_nodes *h = s->graph->root_nodes;
	bool done = true;
	for (uint32_t i = h->row[root_node]; i < h->row[root_node + 1] && done; i++)
		if (!dom_is_seated(s->graph, h->target[i]))
			done = dom_dfs_follow(s, h->target[i], parent);
	if (s->graph->retain != RETAIN_STRONGEST)
		return done;
	for (; done && s->seat < h->seats && h->seat[s->seat].root_node == root_node; s->seat++)
		done = dom_dfs_follow(s, h->seat[s->seat].object, parent);
	return done;
}

static bool visit_root_node(struct search *s, uint32_t index)
{
	struct dom_graph *g = s->graph;
	const struct root_node *root_node = &g->root_nodes->root_node[index];
	uint32_t number = g->count++;
	if (root_node->kind == ROOT_NODE_CLASS) {
		g->class_first[root_node->index] = number;
		if (g->retain == RETAIN_STRONGEST)
			g->first = number;
		if (g->retain == RETAIN_STRONGEST && root_node->index == ROOT_CLASS_POOL)
			dom_records_hold(&s->records, g, false);
	}
	g->number[root_nodes_node(g->root_nodes, index)] = number;
	g->parent[number] = index ? g->number[root_nodes_node(g->root_nodes, root_node->parent)] : 0;
	return follow_targets(s, index, number);
}

static bool visit_root_nodes(struct search *s)
{
	struct dom_graph *g = s->graph;
	bool visited = true, done = true;
	for (uint32_t h = 0; h < g->root_nodes->count && done; h++) {
		const struct root_node *root_node = &g->root_nodes->root_node[h];
		bool timers = root_node->kind == ROOT_NODE_CLASS && root_node->index == ROOT_CLASS_TIMER;
		if (root_node->kind == ROOT_NODE_CLASS)
			visited = dom_takes_part(g->retain, root_node->index);
		g->number[root_nodes_node(g->root_nodes, h)] = (uint32_t)DOM_FRESH;
		if (visited || timers) /* dom_reuse needs the class of timers even without timers */
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
