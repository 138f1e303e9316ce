/* The depth-first search. Anchors are met in their order, which is that of such a search; only
   objects need a stack, and it is not the machine's. */
#include "analysis/flow_graph.h"

#include "base/mem.h"

#include <string.h>

enum { STEP = 1 << 14 };

/* References of an object that are still to be followed. */
struct span { uint32_t at, end; };

struct search {
	struct flow_graph *graph;
	struct edges edges;
	struct span *stack;
	size_t stack_size;
	struct progress *progress;
};

static void mark_objects(struct flow_graph *g)
{
	struct edges out = heap_edges(g->heap), in = heap_back_edges(g->heap);
	for (uint32_t id = 0; id < g->objects; id++) {
		bool leaf = out.row[id] == out.row[id + 1], alone = in.row[id + 1] - in.row[id] <= 1;
		g->number[id] = (uint32_t)(!leaf ? FLOW_FRESH : alone ? FLOW_ALONE : FLOW_LEAF);
	}
}

/* What anchors point at takes part: its dominator may be none of its referrers. */
static void mark_rooted(struct flow_graph *g)
{
	const struct anchors *h = g->anchors;
	uint32_t end = h->row[h->count];
	for (uint32_t i = 0; i < end; i++) {
		uint32_t *number = &g->number[h->target[i]];
		if (*number == (uint32_t)FLOW_ALONE)
			*number = (uint32_t)FLOW_LEAF;
	}
}

static void mark_pools(struct flow_graph *g, bool held)
{
	struct edges out = heap_edges(g->heap);
	for (uint32_t i = 0; i < g->anchors->pools.count; i++) {
		uint32_t object = g->anchors->pools.object[i];
		bool leaf = out.row[object] == out.row[object + 1];
		g->number[object] = (uint32_t)(held ? FLOW_HELD : leaf ? FLOW_LEAF : FLOW_FRESH);
	}
}

static inline uint32_t enter(struct flow_graph *g, uint32_t node, uint32_t parent)
{
	uint32_t number = g->count++;
	g->number[node] = number;
	g->node[number] = node;
	g->parent[number] = parent;
	return number;
}

/* A way to what may have a number already. From a firmer strength there is none that counts. */
static inline void note(struct flow_graph *g, uint32_t from, uint32_t to)
{
	if (to < FLOW_MARKS && to >= g->first && to != from)
		g->way[g->ways++] = (struct flow_way){from, to};
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
	struct flow_graph *g = s->graph;
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
		if (mark < (uint32_t)FLOW_LEAF) {
			note(g, current, mark);
			continue;
		}
		uint32_t number = enter(g, target, current);
		if (mark == (uint32_t)FLOW_LEAF)
			continue;
		s->stack[depth++] = span;
		span = open_span(s, target);
		current = number;
		if (number % STEP == 0 && !progress_step(s->progress, number))
			return false;
	}
}

static bool follow_targets(struct search *s, uint32_t anchor, uint32_t parent)
{
	const struct anchors *h = s->graph->anchors;
	for (uint32_t i = h->row[anchor]; i < h->row[anchor + 1]; i++) {
		uint32_t object = h->target[i], mark = s->graph->number[object];
		if (mark < (uint32_t)FLOW_LEAF) {
			note(s->graph, parent, mark);
			continue;
		}
		uint32_t number = enter(s->graph, object, parent);
		if (mark == (uint32_t)FLOW_FRESH && !descend(s, object, number))
			return false;
	}
	return true;
}

static void begin_strength(struct flow_graph *g, uint32_t strength)
{
	if (g->retain == RETAIN_FIRM)
		g->first = g->count;
	if (g->retain == RETAIN_FIRM && strength == STRENGTH_POOL)
		mark_pools(g, false);
}

static bool visit_anchor(struct search *s, uint32_t index)
{
	struct flow_graph *g = s->graph;
	const struct anchor *anchor = &g->anchors->anchor[index];
	if (anchor->kind == ANCHOR_STRENGTH)
		begin_strength(g, anchor->index);
	uint32_t parent = g->number[anchors_node(g->anchors, anchor->parent)];
	uint32_t number = enter(g, anchors_node(g->anchors, index), index ? parent : 0);
	return follow_targets(s, index, number);
}

/* A pool is an anchor to the firmest ways only: to others, whatever holds the pool holds what is in
   it. */
static bool takes_part(enum retain retain, enum strength strength)
{
	if (strength == STRENGTH_POOL)
		return retain == RETAIN_FIRM;
	return strength != STRENGTH_WEAK || retain == RETAIN_WEAK;
}

static bool visit_anchors(struct search *s)
{
	struct flow_graph *g = s->graph;
	bool visited = true, done = true;
	for (uint32_t h = 0; h < g->anchors->count && done; h++) {
		const struct anchor *anchor = &g->anchors->anchor[h];
		if (anchor->kind == ANCHOR_STRENGTH)
			visited = takes_part(g->retain, anchor->index);
		g->number[anchors_node(g->anchors, h)] = (uint32_t)FLOW_FRESH;
		if (visited)
			done = visit_anchor(s, h);
	}
	return done;
}

bool flow_number(struct flow_graph *graph, struct progress *progress)
{
	size_t stack_size = graph->objects * sizeof(struct span);
	struct search s = {graph, heap_edges(graph->heap), mem_column(stack_size), stack_size, progress};
	progress_begin(progress, "numbering what is reachable", graph->objects);
	mark_objects(graph);
	mark_rooted(graph);
	if (graph->retain == RETAIN_FIRM)
		mark_pools(graph, true);
	bool done = visit_anchors(&s);
	mem_column_free(s.stack, s.stack_size);
	return done;
}
