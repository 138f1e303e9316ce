/* The owners of topmost nodes by strongly connected components. A topmost node is on every path to
   the nodes below it, so the graph is contracted to topmost nodes. All nodes of a component have
   the same owners. Tarjan's algorithm finds a component after its successors, so owners are
   propagated from the last component to the first. */
#include "analysis/owner_edges.h"

#include "base/mem.h"

#include <stdlib.h>

enum { STEP = 1 << 14 };

#define FOUND (UINT32_C(1) << 31)

/* A node on the stack of the depth-first search. */
struct visit {
	uint32_t top, low;
	uint32_t edge; /* the next edge */
};

struct search {
	/* mark: 0: not visited; from 1: preorder number; once the component is found, the mark of
	   one of its nodes | FOUND */
	struct owner_edges *edges;
	uint32_t *stack; /* visited nodes without a component yet */
	uint32_t *found; /* nodes by component, adjacent */
	uint32_t stacked, founds, met;
	struct visit *visit;
	size_t depth, capacity;
	struct progress *progress;
};

static void owner_co_holders_enter(struct search *s, uint32_t top)
{
	s->edges->top[top].mark = ++s->met;
	s->stack[s->stacked++] = top;
	MEM_PUSH(s->visit, s->depth, s->capacity, (struct visit){top, s->met, s->edges->row[top]});
}

static void owner_co_holders_lower(struct visit *visit, uint32_t low)
{
	if (low < visit->low)
		visit->low = low;
}

static void owner_co_holders_leave(struct search *s)
{
	struct visit visit = s->visit[--s->depth];
	if (visit.low < s->edges->top[visit.top].mark) {
		owner_co_holders_lower(&s->visit[s->depth - 1], visit.low);
		return;
	}
	uint32_t top;
	do {
		top = s->found[s->founds++] = s->stack[--s->stacked];
		s->edges->top[top].mark = visit.low | FOUND;
	} while (top != visit.top);
}

static void owner_co_holders_step(struct search *s)
{
	struct visit *visit = &s->visit[s->depth - 1];
	if (visit->edge == s->edges->row[visit->top + 1]) {
		owner_co_holders_leave(s);
		return;
	}
	uint32_t to = s->edges->to[visit->edge++], mark = s->edges->top[to].mark;
	if (!mark)
		owner_co_holders_enter(s, to);
	else if (!(mark & FOUND))
		owner_co_holders_lower(visit, mark);
}

static bool owner_co_holders_search(struct search *s)
{
	uint64_t steps = 0;
	for (uint32_t top = 0; top < s->edges->tops; top++) {
		if (!s->edges->top[top].mark)
			owner_co_holders_enter(s, top);
		for (; s->depth; steps++) {
			if (steps % STEP == 0 && !progress_step(s->progress, s->met))
				return false;
			owner_co_holders_step(s);
		}
	}
	return true;
}

static void owner_co_holders_give(const struct search *s, struct owner_sets *sets, uint32_t to,
                                  uint32_t set)
{
	struct owner_top *top = &s->edges->top[to];
	top->set = owner_sets_union(sets, top->set, set);
}

/* Gives the union of the owners of found[first] ... found[end - 1], a component, to all of its
   successors. */
static void owner_co_holders_give_on(const struct search *s, struct owner_sets *sets,
                                     uint32_t first, uint32_t end)
{
	const struct owner_edges *edges = s->edges;
	uint32_t one = s->found[first];
	for (uint32_t i = first; i < end; i++)
		owner_co_holders_give(s, sets, one, edges->top[s->found[i]].set);
	for (uint32_t i = first; i < end; i++) {
		uint32_t top = s->found[i];
		edges->top[top].set = edges->top[one].set;
		for (uint32_t e = edges->row[top]; e < edges->row[top + 1]; e++)
			owner_co_holders_give(s, sets, edges->to[e], edges->top[one].set);
	}
}

bool owner_co_holders_find(struct owner_edges *edges, struct owner_sets *sets,
                           struct progress *progress)
{
	size_t size = edges->tops * sizeof(uint32_t);
	struct search s = {
		.edges = edges, .stack = mem_column(size), .found = mem_column(size), .progress = progress};
	bool done = owner_co_holders_search(&s);
	for (uint32_t end = s.founds, first; done && end; end = first) {
		first = end - 1;
		while (first && edges->top[s.found[first - 1]].mark == edges->top[s.found[end - 1]].mark)
			first--;
		owner_co_holders_give_on(&s, sets, first, end);
	}
	mem_column_free(s.stack, size);
	mem_column_free(s.found, size);
	free(s.visit);
	return done;
}

uint32_t *owner_co_holder_sets(struct owners *owners, struct progress *progress)
{
	struct owner_edges edges;
	uint32_t *sets = NULL;
	progress_begin(progress, "finding shared sets", owners->tops);
	if (owner_edges_init(&edges, owners, progress)
	    && (owner_edges_spread(&edges, &owners->sets, progress)
	        || owner_co_holders_find(&edges, &owners->sets, progress)))
		sets = mem_alloc((owners->tops + 1) * sizeof *sets);
	for (uint32_t top = 0; top < owners->tops && sets; top++)
		sets[top] = edges.top[top].set;
	owner_edges_fini(&edges);
	return sets;
}

/* ---- A worklist */

/* Propagation of owners with a worklist: a queue of nodes whose set has changed. */

enum { ROUNDS = 4 };

struct spread {
	struct owner_edges *edges;
	struct owner_sets *sets;
	uint32_t *queue; /* a ring with room for all nodes, because each is queued once */
	uint32_t head, count;
};

static uint32_t spread_at(const struct spread *s, uint32_t ahead)
{
	uint64_t at = s->head + (uint64_t)ahead;
	return s->queue[at < s->edges->tops ? at : at - s->edges->tops];
}

/* Prefetches in stages: the row of a node, its list, the nodes on the list. */
enum { AHEAD_ROW = 32, AHEAD_LIST = 16, AHEAD_TOP = 8, TOPS = 12, AHEAD_EDGE = 12 };

static inline void spread_prefetch(const struct spread *s)
{
	const struct owner_edges *edges = s->edges;
	if (s->count <= AHEAD_ROW)
		return;
	__builtin_prefetch(&edges->row[spread_at(s, AHEAD_ROW)]);
	__builtin_prefetch(&edges->to[edges->row[spread_at(s, AHEAD_LIST)]]);
	uint32_t top = spread_at(s, AHEAD_TOP), first = edges->row[top];
	for (uint32_t e = first; e < edges->row[top + 1] && e < first + TOPS; e++)
		__builtin_prefetch(&edges->top[edges->to[e]], 1);
}

/* Queues a node; mark: already queued. */
static void spread_put(struct spread *s, uint32_t top)
{
	uint64_t at = s->head + (uint64_t)s->count;
	if (s->edges->top[top].mark)
		return;
	s->edges->top[top].mark = 1;
	s->queue[at < s->edges->tops ? at : at - s->edges->tops] = top;
	s->count++;
}

static void spread_give(struct spread *s, uint32_t to, uint32_t set)
{
	struct owner_top *top = &s->edges->top[to];
	if (top->set == set)
		return;
	uint32_t both = owner_sets_union(s->sets, top->set, set);
	if (both == top->set)
		return;
	top->set = both;
	spread_put(s, to);
}

static void spread_step(struct spread *s)
{
	const struct owner_edges *edges = s->edges;
	spread_prefetch(s);
	uint32_t top = spread_at(s, 0);
	s->head = s->head + 1 < edges->tops ? s->head + 1 : 0;
	s->count--;
	edges->top[top].mark = 0;
	for (uint32_t e = edges->row[top], end = edges->row[top + 1]; e < end; e++) {
		if (e + AHEAD_EDGE < end)
			__builtin_prefetch(&edges->top[edges->to[e + AHEAD_EDGE]], 1);
		spread_give(s, edges->to[e], edges->top[top].set);
	}
}

bool owner_edges_spread(struct owner_edges *edges, struct owner_sets *sets,
                        struct progress *progress)
{
	size_t size = edges->tops * sizeof(uint32_t);
	struct spread s = {.edges = edges, .sets = sets, .queue = mem_column(size)};
	uint64_t steps = 0;
	bool going = true;
	for (uint32_t top = 0; top < edges->tops; top++)
		if (edges->top[top].set != OWNERS_NONE && edges->row[top] < edges->row[top + 1])
			spread_put(&s, top);
	for (; s.count && going; steps++) {
		spread_step(&s);
		going = steps / ROUNDS < edges->tops && (steps % STEP || progress_step(progress, steps));
	}
	for (uint32_t top = 0; top < edges->tops && s.count; top++)
		edges->top[top].mark = 0;
	mem_column_recycle(s.queue, size);
	return !s.count;
}
