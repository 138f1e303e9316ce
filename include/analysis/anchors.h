/* What holds objects from outside of the heap, as a tree:

     everything -> strength -> global variable -> the objects that its words point at
                            -> goroutine -> frame -> slot -> its object
                                         -> deferred call, panic -> their objects
                            -> finalizer, other record, pool -> their objects

   Every anchor is a node of the graph that dominators are found in, so that what would go with a
   goroutine has a number, as what would go with an object has. Nodes are numbered through: objects
   first, then anchors. */
#ifndef ANALYSIS_ANCHORS_H
#define ANALYSIS_ANCHORS_H

#include "analysis/pools.h"
#include "analysis/reach.h"
#include "types/names.h"

/* How firmly something is held, the firmest first. What a firmer anchor leads to is its own,
   whatever else points at it. */
enum strength {
	STRENGTH_GLOBAL,    /* variables of the program; without an executable the runtime's, too */
	STRENGTH_PARKED,    /* goroutines that a collection has found waiting */
	STRENGTH_RUNNING,   /* others, which are gone in a moment */
	STRENGTH_RUNTIME,   /* the runtime's own variables and records */
	STRENGTH_FINALIZER, /* what a finalizer will need */
	STRENGTH_POOL,      /* what waits in a sync.Pool, and may go at any collection */
	STRENGTH_WEAK,      /* weak roots of a log, which keep nothing alive */
	STRENGTHS
};
extern const char *const strength_names[STRENGTHS]; /* "global", "parked", ... (JSON names) */

enum anchor_kind {
	ANCHOR_ALL,       /* the first one: holds everything */
	ANCHOR_STRENGTH,  /* index: enum strength */
	ANCHOR_GLOBAL,    /* index: the first of its roots; without names, of its only one */
	ANCHOR_GOROUTINE, /* index in heap->goroutines */
	ANCHOR_FRAME,     /* index in heap->frames */
	ANCHOR_SLOT,      /* index in heap->roots: a word of a frame */
	ANCHOR_FINALIZER, /* index of the record, as those that follow */
	ANCHOR_DEFER,
	ANCHOR_PANIC,
	ANCHOR_OTHER,
	ANCHOR_LISTED,    /* index in heap->roots: a root of a log */
	ANCHOR_POOL,      /* index: the object where a sync.Pool keeps what was put into it */
	ANCHOR_KINDS
};

struct anchor {
	uint32_t parent; /* of the first one: itself */
	uint32_t index;
	uint8_t kind;
};

/* Never changes once it is made. A parent stands before its children and these before whatever
   follows it in the tree. */
struct anchors {
	const struct heap *heap;
	struct anchor *anchor;
	uint32_t count;
	uint32_t strength[STRENGTHS]; /* the anchor of each */
	uint32_t *of_root;            /* by index in heap->roots: the anchor */
	uint32_t *of_goroutine;       /* by index in heap->goroutines */
	uint32_t *of_frame;           /* by index in heap->frames; UINT32_MAX: it holds nothing */
	uint32_t *row, *target;       /* anchor a points at target[row[a]] ... target[row[a + 1] - 1] */
	struct pools pools;           /* in this order their anchors follow that of STRENGTH_POOL */
};

/* After heap_link. `names` may be NULL. `pools` becomes part of it. */
struct anchors *anchors_new(const struct heap *heap, const struct names *names,
                            struct pools pools);
void anchors_free(struct anchors *anchors);

/* The number of an anchor as a node, and back; of an object: UINT32_MAX. */
uint32_t anchors_node(const struct anchors *anchors, uint32_t anchor);
uint32_t anchors_of_node(const struct anchors *anchors, uint32_t node);

#endif
