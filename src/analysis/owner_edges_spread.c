/* Propagation of owners with a worklist: a queue of nodes whose set has changed. */
#include "analysis/owner_edges.h"
#include "base/mem.h"

enum { STEP = 1 << 14, ROUNDS = 4 };

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

static inline void spread_ask(const struct spread *s)
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
	spread_ask(s);
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
