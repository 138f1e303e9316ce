/* The graph in which dominators are computed, and the steps of the computation; private to
   src/analysis.

      dom_records     lays the graph out for the search
      dom_dfs         numbers reachable nodes in depth-first preorder
      dom_edges       sorts the edges by their target
      dom_semi_nca    finds the immediate dominator of every number (Semi-NCA)
      dom_leaves      finds that of objects without references, which the steps above omit, unless
                      the graph is contracted
      dom_retained    stores dominators by node, and adds up retained sizes
      dom_sums        stores the retained sizes
      dom_contract    makes a smaller graph for RETAIN_STRONGEST from the tree for RETAIN_ALIVE
      dom_difference  stores the tree of that graph, as the difference between the two trees
      dom_chain       finds the dominators of one object without the whole tree */
#pragma once

#include "analysis/dominators.h"

/* Marks in `number` for nodes without a number. Every number is smaller. */
enum dom_mark {
	DOM_ALONE = -2, /* an object without references: not part of the search */
	DOM_FRESH = -1, /* not visited */
};
#define DOM_MARKS ((uint32_t)DOM_ALONE)
/* Flag of an object without references that dom_leaves has reached; the rest is the number of its
   dominator. */
#define DOM_LEAF (1U << 31)
static inline bool dom_is_leaf(uint32_t number)
{
	return number >= DOM_LEAF && number < DOM_MARKS;
}

/* Edges between numbers that are not in the search tree: from an ancestor, or from a node visited
   after the target. They come in groups with the same source, which is stored once, with a flag,
   before its targets (adjacency list). */
#define DOM_EDGES_FROM (1U << 31)
struct dom_edges {
	uint32_t *word;
	size_t count, used, size; /* edges, words, bytes */
	uint32_t from;            /* of the last edge, with the flag */
};

/* By number, in the dominator tree: a jump pointer to a distant ancestor, and the depth. */
struct dom_jump {
	uint32_t to, depth;
};

struct dom_graph {
	const struct root_nodes *root_nodes;
	enum retain retain;
	uint32_t objects, nodes;
	struct edges references;
	/* Nodes of a contracted graph, which has the others only as parts of these: its objects are
	   numbered by rank, and its references include those of root nodes. NULL: all. */
	const struct ranks *members;
	uint32_t count; /* numbers assigned */
	/* edges are recorded only to numbers from this one on: those of the current root class, and
	   those that the page does not own */
	uint32_t first;
	bool page, beyond;   /* the page owns something; all of it is numbered */
	uint32_t *number;    /* by node: its number or a mark */
	uint32_t *parent;    /* by number: parent in the search tree */
	uint32_t *dominator; /* by number; dom_semi_nca computes this and `jump` */
	struct dom_jump *jump;
	struct dom_edges edges; /* of the search, until dom_edges_sort */
	/* CSR: the edges to number w come from from[into[w]] ... from[into[w + 1] - 1]. */
	uint32_t *into, *from;
	/* in bytes: of a column by node, of into, from, jump */
	size_t column, into_size, from_size, jump_size;
};

/* Returns the nearest number <= `low` among `from` and its ancestors in the dominator tree. */
static inline uint32_t dom_climb(const struct dom_graph *g, uint32_t from, uint32_t low)
{
	while (from > low) {
		uint32_t far = g->jump[from].to;
		from = far >= low ? far : g->dominator[from];
	}
	return from;
}

/* Returns true if edges from a root class count. Pools and timers are root nodes only for
   RETAIN_STRONGEST: otherwise, what references the pool keeps its contents alive. */
static inline bool dom_takes_part(enum retain retain, enum root_class root_class)
{
	if (!root_class_has_roots(root_class))
		return retain == RETAIN_STRONGEST;
	return root_class != ROOT_CLASS_WEAK || retain == RETAIN_WEAK;
}

/* Returns the position of a node, which takes part, in a contracted graph. */
static inline uint32_t dom_graph_at(const struct dom_graph *graph, uint32_t node)
{
	uint32_t root = heap_object_count(graph->root_nodes->heap);
	return node < root ? ranks_at(graph->members, node) : graph->objects + (node - root);
}

/* Searches a graph of at most `edges` edges and computes its dominators: `number`, `dominator`,
   `jump`. Before, the fields up to `members` are set. dom_graph_fini frees the rest also after
   false: cancelled. */
bool dom_graph_search(struct dom_graph *graph, uint64_t edges, struct progress *progress);
void dom_graph_fini(struct dom_graph *graph);

/* Begins a list with room for `most` edges. */
void dom_edges_init(struct dom_edges *edges, uint64_t most);
void dom_edges_fini(struct dom_edges *edges);
static inline void dom_edges_put(struct dom_edges *edges, uint32_t from, uint32_t to)
{
	from |= DOM_EDGES_FROM;
	edges->word[edges->used] = from; /* overwritten if it is the last one's source */
	edges->used += from != edges->from;
	edges->word[edges->used++] = to;
	edges->from = from;
	edges->count++;
}

/* Numbers the reachable nodes and collects the edges. False: cancelled. */
bool dom_dfs(struct dom_graph *graph, struct progress *progress);
void dom_edges_sort(struct dom_graph *graph);
/* Frees `into` and `from`. */
void dom_edges_drop(struct dom_graph *graph);
/* Returns the bytes of a column by number, once all numbers are assigned. */
static inline size_t dom_numbers_size(const struct dom_graph *graph)
{
	return graph->count * sizeof(uint32_t);
}
bool dom_semi_nca(struct dom_graph *graph, struct progress *progress);
/* Stores the dominators of objects without references in their numbers; dom_retained turns these
   into marks again. */
void dom_leaves(const struct dom_graph *graph);
void dom_retained(struct dom_graph *graph, struct dominators *out);

/* Retained sizes by number. */
struct dom_sums {
	struct dom_sum {
		uint32_t low, objects; /* bytes, and the number of objects */
	} * sum;
	uint32_t *high; /* high half of the bytes; NULL: the whole heap is smaller than 4 GiB */
};
static inline uint64_t dom_sum_bytes(const struct dom_sums *sums, uint32_t number)
{
	return (uint64_t)(sums->high ? sums->high[number] : 0) << 32 | sums->sum[number].low;
}

/* Stores the sums of nodes that dominate others, according to idom; `number` maps nodes to sums. */
void dom_sums_init(struct dominators *out, const uint32_t *number, const struct dom_sums *sums);
/* Stores the numbers of objects by rank of inner node, and frees that column. */
void dom_sums_take_objects(struct dominators *out, uint32_t *objects);
bool dom_sums_index(struct dominators *dominators, const struct index_io *io);

/* Frees the columns of a tree. */
void dom_tree_drop(struct dominators *dominators);
/* Returns the tree of a contracted graph after its search. */
struct dominators *dom_difference(const struct dom_graph *graph, const struct dominators *like);
void dom_difference_fini(struct dominators *dominators);
bool dom_difference_index(struct dominators *dominators, const struct index_io *io);

/* ---- The graph in the layout that the search reads. The record of an object is its mark or
   number, followed by the positions of the records that it references and that take part. So a
   visit costs one cache miss. */

/* A smaller word is a number. */
#define DOM_RECORD_FRESH (1U << 31)       /* not visited; plus the number of references */
#define DOM_RECORD_ALONE (UINT32_MAX - 1) /* not part of the search */
#define DOM_RECORD_HELD  UINT32_MAX /* the object of a pool, until the class of pools begins */

struct dom_records {
	struct edges edges;
	uint32_t *word;
	uint64_t *excluded; /* bits by object: records do not reference it */
	size_t size;        /* bytes of `word` */
};

/* Returns the position of an object's record. */
static inline uint32_t dom_record_at(const struct dom_records *records, uint32_t object)
{
	return starts_at(records->edges.starts, object) + object;
}

/* Returns false if the heap has too many references for records. */
bool dom_records_fit(const struct heap *heap);
void dom_records_init(struct dom_records *records, const struct dom_graph *graph);
/* Makes the search skip the objects of the pools, or restores their records. */
void dom_records_hold(struct dom_records *records, const struct dom_graph *graph, bool held);
/* Converts the records to graph->number in place; the records are gone afterwards. */
void dom_records_number(struct dom_records *records, struct dom_graph *graph);
void dom_records_fini(struct dom_records *records);
