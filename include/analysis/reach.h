/* Reachability: a shortest path from a root to every object that has one.

   Roots are taken in two ranks: first everything that lasts (globals, finalizers, deferred calls,
   panics, the frames of goroutines that have been parked since an earlier collection), then the
   frames of goroutines that run or have only just stopped. An object gets a path of the first rank
   when there is one, however long, and the shortest of its rank. Weak roots keep nothing alive:
   what only they lead to is unreachable, but how they lead to it is known, too. */
#ifndef ANALYSIS_REACH_H
#define ANALYSIS_REACH_H

#include "heap/heap.h"

struct reach {
	const struct heap *heap;
	/* The dump has records of roots; without any, nothing can be said of what is alive */
	bool known;
	uint32_t *parent; /* by object: < object count: the object before it on its path;
	                     >= object count: count + index of its root; OBJECT_NONE: unreachable */
	/* By object: the same of those that only weak roots lead to; NULL: there are none */
	uint32_t *weak;
	uint64_t objects, bytes;           /* reachable */
	uint64_t weak_objects, weak_bytes; /* those that only weak roots lead to */
	uint32_t weak_roots;
	uint32_t strong_objects; /* those with a path of the first rank */
	uint32_t *by_target;     /* all roots, sorted by the object they point to */
};

/* After heap_link; NULL: cancelled */
struct reach *reach_new(const struct heap *heap, struct progress *progress);
void reach_free(struct reach *reach);
bool reach_has(const struct reach *reach, uint32_t id);
/* Do weak roots lead to it, and no other? */
bool reach_is_weak(const struct reach *reach, uint32_t id);
/* What is before it on its path, as `parent` has it: of one that only weak roots lead to, too. */
uint32_t reach_before(const struct reach *reach, uint32_t id);
/* The roots that point to an object: indices in heap->roots. */
struct ids reach_roots_of(const struct reach *reach, uint32_t id);
/* The object's steps from its root, be it weak, 1 for one that a root points to; counts to `limit`
   at most. */
size_t reach_distance(const struct reach *reach, uint32_t id, size_t limit);
/* Does it run, or has it only just stopped? */
bool reach_goroutine_is_passing(const struct heap *heap, uint32_t goroutine);
/* Does it keep its object alive? A weak one does not */
bool reach_root_retains(const struct root *root);
/* Of the second rank */
bool reach_root_is_passing(const struct heap *heap, const struct root *root);
uint64_t reach_memory(const struct reach *reach);

#endif
