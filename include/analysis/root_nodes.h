/* The root nodes: what references objects from outside of the heap, as a tree:

       everything -> root class -> global variable -> the objects that its words point at
                                -> thread -> frame -> slot -> its object
                                             -> deferred call, panic -> their objects
                                -> finalizer, other record, pool, timers -> their objects

   Every root node is a node of the dominator graph, so that the retained size of a thread is
   known like that of an object. Node numbers are objects first, then root nodes.

   For owners (RETAIN_STRONGEST) the graph differs: pools and timers are root nodes of their own,
   and no reference leads to the runtime's plumbing (go/runtime/goplumbing.h). Each plumbing
   structure has a seat instead, the root node that it belongs to: its thread, or the node of all
   threads. So what plumbing merely connects has no owner through it. */
#pragma once

#include "analysis/reach.h"
#include "analysis/root_class.h"
#include "go/runtime/sync_pools.h"

enum root_node_kind {
	ROOT_NODE_ALL,       /* the first one, the root of the tree */
	ROOT_NODE_CLASS,     /* index: enum root class */
	ROOT_NODE_GLOBAL,    /* index: the first of its roots; without names, its only root */
	ROOT_NODE_THREAD,    /* index in heap->threads */
	ROOT_NODE_FRAME,     /* index in heap->frames */
	ROOT_NODE_SLOT,      /* index in heap->roots: a word of a frame */
	ROOT_NODE_FINALIZER, /* index of the record, as in those that follow */
	ROOT_NODE_DEFER,
	ROOT_NODE_PANIC,
	ROOT_NODE_OTHER,
	ROOT_NODE_CLEANUP,
	ROOT_NODE_WEAK_HANDLE,
	ROOT_NODE_LOG,  /* index in heap->roots: a root of a log */
	ROOT_NODE_POOL, /* index: the object in which a sync.Pool stores its contents */
	/* all running timers; index: in plumbing->timers, one of the largest group, or UINT32_MAX */
	ROOT_NODE_TIMERS,
	ROOT_NODE_PLUMBING, /* index: enum goplumbing_kind */
	/* all weak references to objects that nothing else reaches; their targets are its objects */
	ROOT_NODE_WEAK_REFERENCES,
	ROOT_NODE_KINDS
};

struct root_node {
	uint32_t parent; /* the first one is its own parent */
	uint32_t index;
	uint8_t kind;
};

/* The tree of root nodes, immutable. A parent precedes its children, and the subtree of a node is
   contiguous. */
struct root_nodes {
	const struct heap *heap;
	struct root_node *root_node;
	uint32_t count;
	uint32_t root_class[ROOT_CLASSES]; /* the root node of each class */
	uint32_t *of_root;                 /* by index in heap->roots: the root node */
	uint32_t *of_thread;               /* by index in heap->threads */
	uint32_t *of_frame;                /* by index in heap->frames; UINT32_MAX: it holds nothing */
	uint32_t *row, *target;  /* CSR: node a points at target[row[a]] ... target[row[a + 1] - 1] */
	struct sync_pools pools; /* their root nodes follow ROOT_CLASS_POOL in this order */
	const struct goplumbing *plumbing; /* borrowed; NULL: none */
	struct root_seat {
		uint32_t root_node, object;
	} * seat; /* of reachable plumbing objects, by root node */
	uint32_t seats;
};

/* Builds the tree, after heap_link. `names` may be NULL. Takes ownership of `pools`. Plumbing and
   timers come from `reach`, which may be NULL: there are none. */
struct root_nodes *root_nodes_new(const struct heap *heap, const struct names *names,
                                  struct sync_pools pools, const struct reach *reach);
void root_nodes_free(struct root_nodes *root_nodes);

/* Returns the address of the sync.Pool of a ROOT_NODE_POOL. */
static inline uint64_t root_nodes_pool(const struct root_nodes *root_nodes, uint32_t root_node)
{
	return root_nodes->pools.pool[root_node - root_nodes->root_class[ROOT_CLASS_POOL] - 1];
}

/* Convert the index of a root node to a node number and back; UINT32_MAX for an object. */
uint32_t root_nodes_node(const struct root_nodes *root_nodes, uint32_t root_node);
uint32_t root_nodes_of_node(const struct root_nodes *root_nodes, uint32_t node);
/* Returns true if there are weak roots. */
bool root_nodes_has_weak(const struct root_nodes *root_nodes);
/* Returns true if a node (may be OBJECT_NONE) is the root of the tree or a root class. */
bool root_nodes_is_flat_node(const struct root_nodes *root_nodes, uint32_t node);
/* Returns true if a root node is the root of the tree or a root class. */
static inline bool root_nodes_is_flat(const struct root_nodes *root_nodes, uint32_t root_node)
{
	return root_nodes->root_node[root_node].kind == ROOT_NODE_ALL
	       || root_nodes->root_node[root_node].kind == ROOT_NODE_CLASS;
}
