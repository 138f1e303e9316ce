/* Semi-NCA (Georgiadis and Tarjan): a sweep from the last number to the first finds the
   semidominator of each, the smallest number that a way leads from on which all others are greater
   than its end; then, from the first to the last, the dominator is the nearest one above that is
   not greater. The first is near-linear with path compression; for the second each number keeps a
   jump far up (Myers 1983), so that no shape of heap makes it more than logarithmic. */
#include "analysis/dom_graph.h"

#include "base/mem.h"

enum { STEP = 1 << 14 };

/* Of the forest of numbers that are swept: one above it, and the smallest semidominator from the
   number up to that one, which is left out. */
struct link {
	uint32_t above, least;
};

/* The semidominator so far, which starts with the smallest number above that a way leads from; and
   where in `from` the ways from later numbers begin. */
struct into {
	uint32_t semi, first;
};

struct join {
	struct dom_graph *graph;
	union {
		struct link *link;
		struct dom_jump *jump; /* afterwards */
	};
	struct into *into; /* by number, and one more */
	uint32_t *from;    /* of ways from later numbers, by where they lead to */
	uint32_t *stack;   /* of compress */
	struct progress *progress;
};

/* Writes go anywhere, so they are asked for ahead. */
enum { AHEAD_INTO = 24, AHEAD_FROM = 12 };

static void count_ways(const struct join *j)
{
	const struct dom_graph *g = j->graph;
	for (uint32_t i = 0; i < g->ways; i++) {
		if (i + AHEAD_INTO < g->ways)
			__builtin_prefetch(&j->into[g->way[i + AHEAD_INTO].to], 1);
		struct dom_edge way = g->way[i];
		struct into *into = &j->into[way.to];
		into->first += way.from > way.to;
		into->semi = way.from < into->semi ? way.from : into->semi;
	}
}

/* A counting sort. */
static void place_ways(const struct join *j)
{
	const struct dom_graph *g = j->graph;
	uint32_t end = 0;
	for (uint32_t w = 0; w < g->count; w++)
		j->into[w].first = end += j->into[w].first;
	j->into[g->count].first = end;
	for (uint32_t i = 0; i < g->ways; i++) {
		if (i + AHEAD_INTO < g->ways)
			__builtin_prefetch(&j->into[g->way[i + AHEAD_INTO].to], 1);
		if (i + AHEAD_FROM < g->ways)
			__builtin_prefetch(&j->from[j->into[g->way[i + AHEAD_FROM].to].first], 1);
		struct dom_edge way = g->way[i];
		if (way.from > way.to)
			j->from[--j->into[way.to].first] = way.from;
	}
}

static uint32_t compress(const struct join *j, uint32_t v, uint32_t last)
{
	size_t depth = 0;
	uint32_t next = j->link[v].above;
	while (next >= last) {
		j->stack[depth++] = v;
		v = next;
		next = j->link[v].above;
	}
	uint32_t least = j->link[v].least;
	while (depth-- > 0) {
		struct link *link = &j->link[j->stack[depth]];
		link->above = next;
		if (link->least < least)
			least = link->least;
		link->least = least;
	}
	return least;
}

/* The smallest semidominator on the way from v up to, and without, what is smaller than `last`. */
static inline uint32_t eval(const struct join *j, uint32_t v, uint32_t last)
{
	const struct link *link = &j->link[v];
	return link->above < last ? link->least : compress(j, v, last);
}

enum { AHEAD_LINK = 16 };

static bool sweep(const struct join *j)
{
	const struct dom_graph *g = j->graph;
	progress_begin(j->progress, "finding dominators", g->count);
	for (uint32_t w = g->count; w-- > 1;) {
		struct into *into = &j->into[w];
		for (uint32_t i = into[1].first; i-- > into->first;) {
			if (i >= AHEAD_LINK)
				__builtin_prefetch(&j->link[j->from[i - AHEAD_LINK]]);
			uint32_t least = eval(j, j->from[i], w + 1);
			into->semi = least < into->semi ? least : into->semi;
		}
		j->link[w] = (struct link){g->parent[w], into->semi};
		if (w % STEP == 0 && !progress_step(j->progress, g->count - w))
			return false;
	}
	return true;
}

/* A number's jump goes to its dominator, or twice as far as that one's when its two jumps are as
   long as each other. */
static inline void add_jump(const struct join *j, uint32_t w, uint32_t above)
{
	struct dom_jump near = j->jump[above], far = j->jump[near.to];
	bool equal = near.depth - far.depth == far.depth - j->jump[far.to].depth;
	j->jump[w] = (struct dom_jump){equal ? far.to : above, near.depth + 1};
}

static void climb(struct join *j)
{
	uint32_t *dominator = j->graph->parent;
	j->jump[0] = (struct dom_jump){0, 0};
	for (uint32_t w = 1; w < j->graph->count; w++) {
		uint32_t above = dominator[w], semi = j->into[w].semi;
		while (above > semi)
			above = j->jump[above].to >= semi ? j->jump[above].to : dominator[above];
		dominator[w] = above;
		add_jump(j, w, above);
	}
}

bool dom_semi_nca(struct dom_graph *graph, struct progress *progress)
{
	size_t count = graph->count, into_size = (count + 1) * sizeof(struct into);
	size_t from_size = graph->ways * sizeof(uint32_t), stack_size = count * sizeof(uint32_t);
	size_t link_size = count * sizeof(struct link);
	struct join j = {
		.graph = graph,
		.progress = progress,
		.link = mem_column(link_size),
		.into = mem_column(into_size),
		.from = mem_column(from_size),
		.stack = mem_column(stack_size),
	};
	for (uint32_t w = 0; w < graph->count; w++)
		j.into[w].semi = graph->parent[w];
	count_ways(&j);
	place_ways(&j);
	if (!graph->keeps_ways) {
		mem_column_free(graph->way, graph->way_size);
		graph->way = NULL;
	}
	bool done = sweep(&j);
	mem_column_free(j.stack, stack_size);
	mem_column_free(j.from, from_size);
	if (done)
		climb(&j);
	mem_column_free(j.into, into_size);
	graph->jump = j.jump;
	graph->jump_size = link_size;
	return done;
}
