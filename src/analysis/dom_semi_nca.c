/* Semi-NCA (Georgiadis and Tarjan). A sweep from the last number to the first computes
   semidominators: the semidominator of a number is the smallest number with a path to it on which
   all other numbers are greater than it. A second sweep, from the first to the last, finds the
   immediate dominator: the nearest ancestor not greater than the semidominator. The first sweep is
   near-linear with path compression. For the second, each number has a jump pointer to a distant
   ancestor (Myers 1983), so that a climb is logarithmic for any heap. */
#include "analysis/dom_graph.h"

#include "base/mem.h"

enum { STEP = 1 << 14 };

/* In the forest of swept numbers: an ancestor, and the smallest semidominator from the number up to
   that ancestor, exclusive. */
struct link {
	uint32_t above, least;
};

struct join {
	struct dom_graph *graph;
	union {
		struct link *link;
		struct dom_jump *jump; /* in the second sweep */
	};
	uint32_t *semi;  /* by number; dominators in the second sweep */
	uint32_t *stack; /* for compress */
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

/* Returns the smallest semidominator among v and its ancestors in the forest that are >= `last`. */
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
		uint32_t semi = g->parent[w];
		for (uint32_t i = g->into[w + 1]; i-- > g->into[w];) {
			if (i >= AHEAD_LINK)
				__builtin_prefetch(&j->link[g->from[i - AHEAD_LINK]]);
			uint32_t least = g->from[i] < w ? g->from[i] : eval(j, g->from[i], w + 1);
			semi = least < semi ? least : semi;
		}
		j->semi[w] = semi;
		j->link[w] = (struct link){g->parent[w], semi};
		if (w % STEP == 0 && !progress_step(j->progress, g->count - w))
			return false;
	}
	return true;
}

/* Sets a number's jump to its dominator, or twice as far as that one's jump if its two jumps have
   equal lengths. */
static inline void add_jump(struct dom_jump *jump, uint32_t w, uint32_t above)
{
	struct dom_jump near = jump[above], far = jump[near.to];
	bool equal = near.depth - far.depth == far.depth - jump[far.to].depth;
	jump[w] = (struct dom_jump){equal ? far.to : above, near.depth + 1};
}

static void climb(const struct dom_graph *g)
{
	g->jump[0] = (struct dom_jump){0, 0};
	for (uint32_t w = 1; w < g->count; w++) {
		g->dominator[w] = dom_climb(g, g->parent[w], g->dominator[w]);
		add_jump(g->jump, w, g->dominator[w]);
	}
}

bool dom_semi_nca(struct dom_graph *graph, struct progress *progress)
{
	size_t count = graph->count, stack_size = count * sizeof(uint32_t);
	size_t link_size = count * sizeof(struct link);
	struct join j = {
		.graph = graph,
		.progress = progress,
		.link = mem_column(link_size),
		.semi = mem_column(dom_numbers_size(graph)),
		.stack = mem_column_most(stack_size),
	};
	bool done = sweep(&j);
	mem_column_free(j.stack, stack_size);
	dom_edges_drop(graph);
	graph->dominator = j.semi;
	graph->jump = j.jump;
	graph->jump_size = link_size;
	if (done)
		climb(graph);
	/* only the first sweep needs the search tree */
	mem_column_recycle_part(graph->parent, dom_numbers_size(graph), graph->column);
	graph->parent = NULL;
	return done;
}
