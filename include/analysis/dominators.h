/* The dominator tree. A node dominates another if it is on every path from the roots to it. The
   nearest such node is its immediate dominator. A node retains itself and all nodes that it
   dominates: exactly what becomes unreachable when it goes.

   Nodes are objects (0 ... count - 1), followed by root nodes (analysis/root_nodes.h). The first
   root node is the root of the tree; it retains all that is reachable. */
#pragma once

#include "analysis/root_nodes.h"
#include "base/err.h"
#include "base/index_io.h"
#include "base/progress.h"
#include "base/ranks.h"
#include "base/starts.h"
#include "heap/edges.h"
#include "heap/object_ids.h"

/* The references that a dominator tree follows. */
enum retain {
	RETAIN_ALIVE, /* all that keep alive: what would be freed */
	/* only those from the strongest class of roots that reaches the object: who owns it */
	RETAIN_STRONGEST,
	RETAIN_WEAK, /* also those from weak roots, as if they kept objects alive */
	RETAIN_COUNT
};
/* Parses "all" or "strong". In a Go dump, "all" is RETAIN_ALIVE and "strong" is RETAIN_STRONGEST;
   in a log with weak roots, "all" is RETAIN_WEAK and "strong" is RETAIN_ALIVE. False: unknown. */
bool retain_parse(const char *name, bool has_weak, enum retain *retain);

/* A tree is stored in one of three forms: whole; reduced, with `like`: only its difference from
   another tree; partial: the dominators of one object, and nothing else. */
struct dominators {
	const struct root_nodes *root_nodes;
	enum retain retain;
	uint32_t nodes; /* objects and root nodes */
	uint32_t root;  /* the node of the first root node */
	bool partial;   /* describes one object only: see dominators_new_of */
	uint32_t *idom; /* by node: its immediate dominator; OBJECT_NONE: unreachable, or the root */
	/* Retained sums of inner nodes, which dominate others; all others retain only themselves */
	struct ranks inner;
	uint32_t *inner_bytes;    /* by rank in `inner`, own bytes included: the low half */
	struct sparse inner_high; /* the high half */
	/* by rank in `inner`: the number of objects; UINT16_MAX: it is in inner_many */
	uint16_t *inner_objects;
	struct sparse inner_many;
	/* Or only the difference from another tree; NULL: the fields above are complete */
	const struct dominators *like;
	/* one bit a block of nodes: some node in it differs; small enough for the CPU cache */
	uint64_t *blocks;
	struct ranks differing;
	struct dominators_difference {
		uint32_t idom, low, high, objects;
	} * difference; /* by rank in `differing` */
};

/* Computes the tree for RETAIN_ALIVE or RETAIN_WEAK, after heap_link. NULL: cancelled, or *err
   (more nodes than 32 bits can number). */
struct dominators *dominators_new(const struct root_nodes *root_nodes, enum retain retain,
                                  struct progress *progress, struct err *err);
/* Computes the tree for RETAIN_STRONGEST as its difference from that for RETAIN_ALIVE, which must
   outlive it. NULL: cancelled. */
struct dominators *dominators_new_strongest(const struct dominators *alive,
                                            struct progress *progress);
/* Computes a RETAIN_ALIVE tree that contains only one object, its dominators and the root; all
   other nodes look unreachable. Costs one search of the heap. NULL: cancelled, or the object's root
   has no node. */
struct dominators *dominators_new_of(const struct root_nodes *root_nodes, const struct reach *reach,
                                     uint32_t object, struct progress *progress);
void dominators_free(struct dominators *dominators);

enum { DOMINATORS_BLOCK = 512 };

/* Returns the difference of a node in a reduced tree; NULL: the node is as in the other tree. */
static inline const struct dominators_difference *dominators_difference_of(
	const struct dominators *dominators, uint32_t node)
{
	return word_bit_is_set(dominators->blocks, node / DOMINATORS_BLOCK)
	               && ranks_has(&dominators->differing, node)
	           ? &dominators->difference[ranks_at(&dominators->differing, node)]
	           : NULL;
}

/* Returns the immediate dominator of a node; OBJECT_NONE: unreachable, or the root. */
static inline uint32_t dominators_above(const struct dominators *dominators, uint32_t node)
{
	if (!dominators->like)
		return dominators->idom[node];
	const struct dominators_difference *own = dominators_difference_of(dominators, node);
	return own ? own->idom : dominators->like->idom[node];
}

/* Prefetches the dominator of a node that will be read soon. */
static inline void dominators_prefetch_above(const struct dominators *dominators, uint32_t node)
{
	__builtin_prefetch(&(dominators->like ? dominators->like : dominators)->idom[node]);
}

/* Returns true if a path leads from a root to the node. */
static inline bool dominators_has(const struct dominators *dominators, uint32_t node)
{
	return dominators_above(dominators, node) != OBJECT_NONE || node == dominators->root;
}

/* Returns true if the node's immediate dominator is the root of the tree or a root class, and the
   node is none of these: it is topmost. */
static inline bool dominators_is_topmost(const struct dominators *d, uint32_t node)
{
	uint32_t above = dominators_above(d, node);
	return above >= d->root && root_nodes_is_flat_node(d->root_nodes, above)
	       && !root_nodes_is_flat_node(d->root_nodes, node);
}
/* Returns the topmost node among a node and its dominators. The node must not be the root of the
   tree or a root class. */
uint32_t dominators_topmost(const struct dominators *dominators, uint32_t node);
/* Returns the nearest node that dominates all of some other nodes; OBJECT_NONE: they are
   unreachable, which some may be. In proportion to the nodes above them. */
uint32_t dominators_common(const struct dominators *dominators, const uint32_t *nodes,
                           size_t count);
/* Returns the retained bytes of a node, its own included; 0 if it is unreachable. */
uint64_t dominators_bytes(const struct dominators *dominators, uint32_t node);
/* Returns the number of objects that a node retains. */
uint32_t dominators_objects(const struct dominators *dominators, uint32_t node);
/* Returns the bytes of the node itself: 0 for root nodes. */
static inline uint64_t dominators_self(const struct dominators *dominators, uint32_t node)
{
	return node < dominators->root ? heap_size(dominators->root_nodes->heap, node) : 0;
}

/* Initializes `inner` with the nodes that dominate others; the caller calls ranks_fini. */
void dominators_find_inner(const struct dominators *dominators, struct ranks *inner);

/* Returns the nodes that a node immediately dominates: those that retain most first, then by
   number. Costs one pass over all nodes, some milliseconds for ten million. The caller frees the
   result. */
uint32_t *dominators_children(const struct dominators *dominators, uint32_t node, size_t *count);

/* Returns the part of an index for the sections of what a name and a kind of tree tell apart. */
struct index_io dominators_section(const struct index_io *io, const char *name, enum retain retain);
/* Writes the tree to an index, until whose end its columns are borrowed, or reads it. */
bool dominators_index(struct dominators *dominators, const struct index_io *io);
/* Loads a tree from an index instead of computing it. `like` is the other tree if this one may have
   been reduced, else NULL. NULL: the file has no such tree. */
struct dominators *dominators_load(const struct root_nodes *root_nodes, enum retain retain,
                                   const struct dominators *like, const struct index_io *io);

/* ---- An index of the dominator tree: the children of every node, as CSR rows for the nodes that
   have children. Costs 4 bytes a node, and 4 bytes for each node with children. That of a reduced
   tree has only those nodes whose children differ in the other tree. */

struct dominator_children {
	struct ranks inner;   /* nodes that have children */
	struct starts starts; /* of the r-th: where its children begin in `node`; they ascend */
	uint32_t *node;
	uint32_t nodes, listed;                /* nodes of the tree, in all rows */
	const struct dominator_children *like; /* NULL, or of the nodes that are not in `inner` */
};

/* Builds the index. NULL: cancelled. */
struct dominator_children *dominator_children_new(const struct dominators *dominators,
                                                  struct progress *progress);
/* Builds that of a reduced tree; `like` is of the other tree and must outlive it. Costs time in
   proportion to the children of the nodes that differ. */
struct dominator_children *dominator_children_new_like(const struct dominators *dominators,
                                                       const struct dominator_children *like);
void dominator_children_free(struct dominator_children *children);

/* The cached indexes, one for each kind of dominator tree (analysis_children). */
extern const struct kept_kind dominator_children_kept;

static inline struct ids dominator_children_of(const struct dominator_children *children,
                                               uint32_t node)
{
	if (children->like && !ranks_has(&children->inner, node))
		children = children->like;
	if (!ranks_has(&children->inner, node))
		return (struct ids){0};
	uint32_t r = ranks_at(&children->inner, node), first = starts_at(&children->starts, r);
	return (struct ids){children->node + first, starts_at(&children->starts, r + 1) - first};
}
