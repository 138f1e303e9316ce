/* Semi-NCA (Georgiadis and Tarjan): a sweep from the last number to the first finds the
   semidominator of each, the smallest number that a way leads from on which all others are greater
   than its end; then, from the first to the last, the dominator is the nearest one above that is
   not greater. The first is near-linear with path compression; for the second each number keeps a
   jump far up (Myers 1983), so that no shape of heap makes it more than logarithmic. */
#include "analysis/flow_graph.h"

#include "base/mem.h"

enum { STEP = 1 << 14 };

/* Of the forest of numbers that are swept: one above it, and the smallest semidominator from the
   number up to that one, which is left out. */
struct link { uint32_t above, least; };
/* Afterwards: one far above in the tree of dominators, and how deep it is. */
struct jump { uint32_t to, depth; };

struct join {
	struct flow_graph *graph;
	struct edges in;
	union { struct link *link; struct jump *jump; };
	uint32_t *semi;  /* by number */
	uint32_t *stack; /* of eval */
	struct progress *progress;
};

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

/* A way into w from a number; what is of another section does not count. */
static inline uint32_t take(const struct join *j, const struct flow_section *section, uint32_t w,
                            uint32_t from, uint32_t semi)
{
	if (from < section->first || from >= section->end)
		return semi;
	uint32_t least = from <= w ? from : eval(j, from, w + 1);
	return least < semi ? least : semi;
}

static uint32_t take_anchors(const struct join *j, const struct flow_section *section, uint32_t w,
                             uint32_t object, uint32_t semi)
{
	const struct flow_graph *g = j->graph;
	const struct anchors *h = g->anchors;
	struct ids roots = reach_roots_of(h->reach, object);
	for (size_t i = 0; i < roots.count; i++) {
		uint32_t node = anchors_node(h, h->of_root[roots.id[i]]);
		semi = take(j, section, w, g->number[node], semi);
	}
	uint32_t pool = anchors_pool_of(h, object);
	if (pool != UINT32_MAX)
		semi = take(j, section, w, g->number[anchors_node(h, pool)], semi);
	return semi;
}

static inline void sweep_one(const struct join *j, const struct flow_section *section, uint32_t w)
{
	const struct flow_graph *g = j->graph;
	uint32_t semi = g->parent[w], object = g->node[w];
	if (object < g->objects) {
		struct ids from = edges_of(j->in, object);
		for (size_t i = 0; i < from.count; i++)
			semi = take(j, section, w, g->number[from.id[i]], semi);
		if (flow_is_rooted(g, object))
			semi = take_anchors(j, section, w, object, semi);
	}
	j->semi[w] = semi;
	j->link[w] = (struct link){g->parent[w], semi};
}

/* The sweep waits for memory; so the row of an object is asked for ahead, then its list, then the
   numbers of those on it, then their links. */
enum { AHEAD_ROW = 40, AHEAD_LIST = 28, AHEAD_NUMBER = 16, AHEAD_LINK = 6, MOST = 4 };

static inline struct ids ways_into(const struct join *j, uint32_t w)
{
	uint32_t object = j->graph->node[w];
	return object < j->graph->objects ? edges_of(j->in, object) : (struct ids){NULL, 0};
}

static inline void prefetch(const struct join *j, uint32_t w)
{
	const struct flow_graph *g = j->graph;
	if (w <= AHEAD_ROW)
		return;
	__builtin_prefetch(&j->in.row[g->node[w - AHEAD_ROW]]);
	__builtin_prefetch(ways_into(j, w - AHEAD_LIST).id);
	struct ids from = ways_into(j, w - AHEAD_NUMBER);
	for (size_t i = 0; i < from.count && i < MOST; i++)
		__builtin_prefetch(&g->number[from.id[i]]);
	from = ways_into(j, w - AHEAD_LINK);
	for (size_t i = 0; i < from.count && i < MOST; i++) {
		uint32_t number = g->number[from.id[i]];
		if (number < g->count)
			__builtin_prefetch(&j->link[number]);
	}
}

static bool sweep(struct join *j)
{
	const struct flow_graph *g = j->graph;
	progress_begin(j->progress, "finding dominators", g->count);
	for (size_t s = g->sections; s-- > 0;) {
		const struct flow_section *section = &g->section[s];
		for (uint32_t w = section->end; w-- > section->first && w;) {
			prefetch(j, w);
			sweep_one(j, section, w);
			if (w % STEP == 0 && !progress_step(j->progress, g->count - w))
				return false;
		}
	}
	return true;
}

/* A number's jump goes to its dominator, or twice as far as that one's when its two jumps are as
   long as each other. */
static inline void add_jump(const struct join *j, uint32_t w, uint32_t above)
{
	struct jump near = j->jump[above], far = j->jump[near.to];
	bool equal = near.depth - far.depth == far.depth - j->jump[far.to].depth;
	j->jump[w] = (struct jump){equal ? far.to : above, near.depth + 1};
}

static void climb(struct join *j)
{
	uint32_t *dominator = j->graph->parent;
	j->jump[0] = (struct jump){0, 0};
	for (uint32_t w = 1; w < j->graph->count; w++) {
		uint32_t above = dominator[w], semi = j->semi[w];
		while (above > semi)
			above = j->jump[above].to >= semi ? j->jump[above].to : dominator[above];
		dominator[w] = above;
		add_jump(j, w, above);
	}
}

bool flow_join(struct flow_graph *graph, struct progress *progress)
{
	size_t count = graph->count;
	struct join j = {
		.graph = graph, .in = heap_back_edges(graph->heap), .progress = progress,
		.link = mem_column(count * sizeof *j.link), .semi = mem_column(count * sizeof *j.semi),
		.stack = mem_column(count * sizeof *j.stack),
	};
	bool done = sweep(&j);
	mem_column_free(j.stack, count * sizeof *j.stack);
	if (done)
		climb(&j);
	mem_column_free(j.link, count * sizeof *j.link);
	mem_column_free(j.semi, count * sizeof *j.semi);
	return done;
}
