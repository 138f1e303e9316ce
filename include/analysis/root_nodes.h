/* What holds objects from outside of the heap, as a tree:

     everything -> root class -> global variable -> the objects that its words point at
                            -> goroutine -> frame -> slot -> its object
                                         -> deferred call, panic -> their objects
                            -> finalizer, other record, pool, timers -> their objects

   Every root node is a node of the graph that dominators are found in, so that what would go with a
   goroutine has a number, as what would go with an object has. Nodes are numbered through: objects
   first, then root nodes.

   Where the question is who owns what (RETAIN_STRONGEST), three things are different: pools and
   timers are root nodes of their own, and no reference leads to the runtime's plumbing
   (goruntime/goplumbing.h). Each of these structures has a seat instead, the root node that it
   belongs to: its goroutine, or that of all threads. So nobody owns through them what they only
   connect. */
#ifndef ANALYSIS_ROOT_NODES_H
#define ANALYSIS_ROOT_NODES_H

#include "analysis/reach.h"
#include "analysis/root_class.h"
#include "goruntime/sync_pools.h"

enum root_node_kind {
	ROOT_NODE_ALL,       /* the first one: holds everything */
	ROOT_NODE_CLASS,     /* index: enum root class */
	ROOT_NODE_GLOBAL,    /* index: the first of its roots; without names, of its only one */
	ROOT_NODE_GOROUTINE, /* index in heap->goroutines */
	ROOT_NODE_FRAME,     /* index in heap->frames */
	ROOT_NODE_SLOT,      /* index in heap->roots: a word of a frame */
	ROOT_NODE_FINALIZER, /* index of the record, as those that follow */
	ROOT_NODE_DEFER,
	ROOT_NODE_PANIC,
	ROOT_NODE_OTHER,
	ROOT_NODE_CLEANUP,
	ROOT_NODE_WEAK_HANDLE,
	ROOT_NODE_LOG,      /* index in heap->roots: a root of a log */
	ROOT_NODE_POOL,     /* index: the object where a sync.Pool keeps what was put into it */
	ROOT_NODE_TIMERS,   /* all that run; index: in plumbing->timers, one of those that are most of
	                       them, or UINT32_MAX */
	ROOT_NODE_PLUMBING, /* index: enum goplumbing_kind */
	ROOT_NODE_KINDS
};

struct root_node {
	uint32_t parent; /* of the first one: itself */
	uint32_t index;
	uint8_t kind;
};

/* Never changes once it is made. A parent stands before its children and these before whatever
   follows it in the tree. */
struct root_nodes {
	const struct heap *heap;
	struct root_node *root_node;
	uint32_t count;
	uint32_t root_class[ROOT_CLASSES]; /* the root node of each */
	uint32_t *of_root;                 /* by index in heap->roots: the root node */
	uint32_t *of_goroutine;            /* by index in heap->goroutines */
	uint32_t *of_frame;                /* by index in heap->frames; UINT32_MAX: it holds nothing */
	uint32_t *row, *target;  /* root node a points at target[row[a]] ... target[row[a + 1] - 1] */
	struct sync_pools pools; /* in this order their root nodes follow that of ROOT_CLASS_POOL */
	const struct goplumbing *plumbing; /* borrowed; NULL: there is none */
	struct root_seat {
		uint32_t root_node, object;
	} * seat; /* of what is reachable of it, by root node */
	uint32_t seats;
};

/* After heap_link. `names` may be NULL. `pools` becomes part of it. Plumbing and timers are those
   that `reach` has, which may be NULL: there are none. */
struct root_nodes *root_nodes_new(const struct heap *heap, const struct names *names,
                                  struct sync_pools pools, const struct reach *reach);
void root_nodes_free(struct root_nodes *root_nodes);

/* The address of the sync.Pool of a ROOT_NODE_POOL. */
static inline uint64_t root_nodes_pool(const struct root_nodes *root_nodes, uint32_t root_node)
{
	return root_nodes->pools.pool[root_node - root_nodes->root_class[ROOT_CLASS_POOL] - 1];
}

/* The number of a root node as a node, and back; of an object: UINT32_MAX. */
uint32_t root_nodes_node(const struct root_nodes *root_nodes, uint32_t root_node);
uint32_t root_nodes_of_node(const struct root_nodes *root_nodes, uint32_t node);
/* Are there roots that keep nothing alive? */
bool root_nodes_has_weak(const struct root_nodes *root_nodes);
/* Is a node, or OBJECT_NONE, everything or a root class? */
bool root_nodes_is_flat_node(const struct root_nodes *root_nodes, uint32_t node);
/* The same of a root node. */
static inline bool root_nodes_is_flat(const struct root_nodes *root_nodes, uint32_t root_node)
{
	return root_nodes->root_node[root_node].kind == ROOT_NODE_ALL
	       || root_nodes->root_node[root_node].kind == ROOT_NODE_CLASS;
}

#endif
