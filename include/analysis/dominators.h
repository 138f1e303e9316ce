/* Dominators: a node is held by another alone when every way from the roots to it leads through
   that one. The nearest such node is its dominator; a node retains itself and whatever it holds
   alone, which is exactly what becomes unreachable when it goes.

   Nodes are objects (0 ... count - 1) and, after them, root nodes (analysis/root_nodes.h). The
   first root node is the root of the tree: it retains all that is reachable. */
#ifndef ANALYSIS_DOMINATORS_H
#define ANALYSIS_DOMINATORS_H

#include "analysis/root_nodes.h"
#include "base/err.h"
#include "base/index_file.h"
#include "base/progress.h"
#include "base/ranks.h"

/* Which ways count. */
enum retain {
	RETAIN_ALIVE,     /* every one that keeps alive: what would be freed */
	RETAIN_STRONGEST, /* only those from the firmest that there are: who owns it */
	RETAIN_WEAK,      /* those from weak roots, too, as if they kept alive */
	RETAIN_COUNT
};
/* What people call them, "all" or "strong": in a dump of Go all that keep alive or the firmest
   only; in a log, which has weak roots, the weak ones, too, or all that keep alive. False: no such
   name. */
bool retain_parse(const char *name, bool has_weak, enum retain *retain);

struct dominators {
	const struct root_nodes *root_nodes;
	enum retain retain;
	uint32_t nodes; /* objects and root nodes */
	uint32_t root;  /* the node of the first root node */
	bool partial;   /* it tells of one object only: see dominators_new_of */
	uint32_t *idom; /* by node: its dominator; OBJECT_NONE: unreachable, or the root */
	/* What is retained, of nodes that dominate others; what dominates none retains itself */
	struct ranks inner;
	uint32_t *inner_bytes;    /* by their rank, own included: the low half */
	struct sparse inner_high; /* the high half */
	uint32_t *inner_objects;  /* likewise, how many */
	/* Or only what sets it apart from another tree; NULL: all of the above */
	const struct dominators *like;
	uint64_t *blocks; /* a bit a block of nodes: any of them does; small enough to be near */
	struct ranks differing;
	struct dominators_difference {
		uint32_t idom, low, high, objects;
	} * difference; /* by their rank */
};

/* After heap_link. NULL: cancelled, or *err (more nodes than 32 bits can number). */
struct dominators *dominators_new(const struct root_nodes *root_nodes, enum retain retain,
                                  struct progress *progress, struct err *err);
/* The same of all ways, then of the firmest, which takes less time so: `*search` is NULL before;
   what it holds in between dominators_forget gives back. */
struct dom_graph;
struct dominators *dominators_new_after(const struct root_nodes *root_nodes, enum retain retain,
                                        struct dom_graph **search, struct progress *progress,
                                        struct err *err);
void dominators_forget(struct dom_graph *search);
/* A tree of RETAIN_ALIVE that tells of one object, of what dominates it, and of everything; other
   nodes are as if no root led to them. It takes one search of the heap. NULL: cancelled, or the
   object's root has no node. */
struct dominators *dominators_new_of(const struct root_nodes *root_nodes, const struct reach *reach,
                                     uint32_t object, struct progress *progress);
void dominators_free(struct dominators *dominators);

/* From now on what sets it apart from `like`, a tree of the same nodes which must stay, is all that
   is kept of it. False: that is too much, and it stays as it is. */
bool dominators_reduce(struct dominators *dominators, const struct dominators *like);

enum { DOMINATORS_BLOCK = 512 };

/* What is kept of a node of a tree that has been reduced; NULL: it is as in the other tree. */
static inline const struct dominators_difference *dominators_difference_of(
	const struct dominators *dominators, uint32_t node)
{
	return word_bit_is_set(dominators->blocks, node / DOMINATORS_BLOCK)
	               && ranks_has(&dominators->differing, node)
	           ? &dominators->difference[ranks_at(&dominators->differing, node)]
	           : NULL;
}

/* Its dominator; OBJECT_NONE: unreachable, or the root. */
static inline uint32_t dominators_above(const struct dominators *dominators, uint32_t node)
{
	if (!dominators->like)
		return dominators->idom[node];
	const struct dominators_difference *own = dominators_difference_of(dominators, node);
	return own ? own->idom : dominators->like->idom[node];
}

/* It will be asked for soon: what lies far apart is fetched meanwhile. */
static inline void dominators_ask_above(const struct dominators *dominators, uint32_t node)
{
	__builtin_prefetch(&(dominators->like ? dominators->like : dominators)->idom[node]);
}

/* Is there a way from a root to it? */
static inline bool dominators_has(const struct dominators *dominators, uint32_t node)
{
	return dominators_above(dominators, node) != OBJECT_NONE || node == dominators->root;
}

/* Does it hang right on everything or on a root class, and is none of these? */
bool dominators_hangs_on_flat(const struct dominators *dominators, uint32_t node);
static inline bool dominators_is_topmost(const struct dominators *dominators, uint32_t node)
{
	return dominators_above(dominators, node) >= dominators->root
	       && dominators_hangs_on_flat(dominators, node);
}
/* The one of its dominators, or itself, that does. Not of everything and root classes. */
uint32_t dominators_topmost(const struct dominators *dominators, uint32_t node);
/* Retained, its own included; 0 when unreachable. */
uint64_t dominators_bytes(const struct dominators *dominators, uint32_t node);
/* Likewise, how many. */
uint32_t dominators_objects(const struct dominators *dominators, uint32_t node);
/* Bytes of the node itself: 0 for root nodes. */
uint64_t dominators_self(const struct dominators *dominators, uint32_t node);

/* Makes the set of nodes that dominate others: ranks_fini. */
void dominators_find_inner(const struct dominators *dominators, struct ranks *inner);

/* What a node dominates immediately: those that retain most first, then by number. No index is
   kept for it: one pass over all nodes, some milliseconds for ten millions. free() the ids. */
uint32_t *dominators_children(const struct dominators *dominators, uint32_t node, size_t *count);

uint64_t dominators_memory(const struct dominators *dominators);

/* The name of a part of an index that is about a tree, in name[INDEX_NAME]. */
const char *dominators_section(char *name, enum retain retain, const char *part);
/* For an index: borrowed until that is written. */
void dominators_save(const struct dominators *dominators, struct index_writer *writer);
/* In the stead of dominators_new, reduced if it was, for which `like` is given again (else NULL
   is); NULL: they are not in the file. */
struct dominators *dominators_load(const struct root_nodes *root_nodes, enum retain retain,
                                   const struct dominators *like, struct index_file *file);

#endif
