/* Dominators on their way, private to src/analysis: what its steps share.

   dom_records   puts the graph where the search reads it
   dom_dfs   numbers what is reachable in the order of a depth-first search
   dom_ways   puts the ways that it has found in the order of where they lead to
   dom_reuse   makes of the search for all ways one for the firmest
   dom_semi_nca     finds the dominator of every number
   dom_leaves   finds that of objects without references, which take no part in those before
   dom_retained   tells it of nodes, and adds up what they retain
   dom_sums   keeps that
   dom_chain   finds those of one object without a tree of all
   dom_difference   keeps of a second tree what is not as in the first */
#ifndef ANALYSIS_DOM_GRAPH_H
#define ANALYSIS_DOM_GRAPH_H

#include "analysis/dominators.h"

/* What `number` says of nodes that have none. Every number is smaller. */
enum dom_mark {
	DOM_ALONE = -2, /* an object without references: takes no part */
	DOM_FRESH = -1, /* not met */
};
#define DOM_MARKS ((uint32_t)DOM_ALONE)
/* Of an object that takes no part, once dom_leaves has met it: with the number of its dominator */
#define DOM_LEAF (1U << 31)
static inline bool dom_is_leaf(uint32_t number)
{
	return number >= DOM_LEAF && number < DOM_MARKS;
}

/* A way between numbers that the search has found and not taken: from a number above, or from one
   after it. */
struct dom_edge {
	uint32_t from, to;
};

/* Of the tree of dominators, by number: one far above, and how deep the number is. */
struct dom_jump {
	uint32_t to, depth;
};

struct dom_graph {
	const struct root_nodes *root_nodes;
	const struct heap *heap;
	enum retain retain;
	uint32_t objects, nodes;
	uint32_t count; /* numbers given */
	uint32_t first; /* ways are followed between numbers from this one on: of the present root class
	                 */
	uint32_t *number;    /* by node: its number or a mark */
	uint32_t *parent;    /* by number: in the search tree */
	uint32_t *dominator; /* by number; dom_semi_nca makes it and jump */
	struct dom_jump *jump;
	struct dom_edge *way; /* of the search, until dom_ways has put them in order */
	uint32_t ways;
	/* Ways to number w are from from[into[w]] ... from[into[w + 1] - 1]. */
	uint32_t *into, *from;
	uint32_t class_first[ROOT_CLASSES]; /* the number of the root class; 0: not met */
	bool kept;                          /* the search is wanted again: dom_semi_nca leaves it */
	size_t column, way_size, into_size, from_size, jump_size; /* bytes: of a column by node, of way,
	                                                             into, from, jump */
};

/* The first number from `from` up the tree of dominators that is not greater than `low`. */
static inline uint32_t dom_climb(const struct dom_graph *g, uint32_t from, uint32_t low)
{
	while (from > low) {
		uint32_t far = g->jump[from].to;
		from = far >= low ? far : g->dominator[from];
	}
	return from;
}

/* Do ways from a root class count? A pool is a root node to the firmest ways only, and so are
   timers: to others, whatever holds the pool holds what is in it. */
static inline bool dom_takes_part(enum retain retain, enum root_class root_class)
{
	if (!root_class_has_roots(root_class))
		return retain == RETAIN_STRONGEST;
	return root_class != ROOT_CLASS_WEAK || retain == RETAIN_WEAK;
}

/* Does no reference lead to an object, as it is plumbing (analysis/root_nodes.h)? */
static inline bool dom_is_seated(const struct dom_graph *graph, uint32_t object)
{
	return graph->retain == RETAIN_STRONGEST && goplumbing_has(graph->root_nodes->plumbing, object);
}

/* False: cancelled. */
bool dom_dfs(struct dom_graph *graph, struct progress *progress);
void dom_ways(struct dom_graph *graph);
/* Gives `into` and `from` back. */
void dom_ways_drop(struct dom_graph *graph);
/* What a column by number takes, once there are all of them. */
static inline size_t dom_numbers_size(const struct dom_graph *graph)
{
	return graph->count * sizeof(uint32_t);
}
/* A column for `into`, with room for pools as root nodes, too. */
uint32_t *dom_ways_make_into(struct dom_graph *graph);
/* After dom_ways for RETAIN_ALIVE: for RETAIN_STRONGEST from now on. False: it must be searched,
   and nothing has changed. */
bool dom_reuse(struct dom_graph *graph);
bool dom_semi_nca(struct dom_graph *graph, struct progress *progress);
/* Tells their numbers what dominates them; dom_retained makes marks of them again. */
void dom_leaves(const struct dom_graph *graph);
void dom_retained(struct dom_graph *graph, struct dominators *out);

/* What numbers retain. */
struct dom_sums {
	struct dom_sum {
		uint32_t low, objects; /* bytes, and how many */
	} * sum;
	uint32_t *high; /* the rest of the bytes; NULL: all of the heap has fewer */
};
static inline uint64_t dom_sum_bytes(const struct dom_sums *sums, uint32_t number)
{
	return (uint64_t)(sums->high ? sums->high[number] : 0) << 32 | sums->sum[number].low;
}

/* Keeps the sums of nodes that dominate others: idom says which, `number` where each has its. */
void dom_sums_init(struct dominators *out, const uint32_t *number, const struct dom_sums *sums);
void dom_sums_fini(struct dominators *dominators);
uint64_t dom_sums_memory(const struct dominators *dominators);
void dom_sums_save(const struct dominators *dominators, struct index_writer *writer);
bool dom_sums_load(struct dominators *dominators, struct index_file *file);

/* Gives the columns of a tree back. */
void dom_tree_drop(struct dominators *dominators);
/* Of a tree that has been reduced, see dominators_reduce: src/analysis/dom_difference.c. */
void dom_difference_fini(struct dominators *dominators);
uint64_t dom_difference_memory(const struct dominators *dominators);
void dom_difference_save(const struct dominators *dominators, struct index_writer *writer);
bool dom_difference_load(struct dominators *dominators, const struct dominators *like,
                         struct index_file *file);

#endif
