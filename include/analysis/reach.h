/* Reachability: a breadth-first search that finds a shortest path from a root to every reachable
   object.

   Roots are processed class by class, the strongest first (analysis/root_class.h): variables of the
   program, frames of threads parked since an earlier collection, those of others, and the rest.
   An object gets a shortest path from the strongest class that reaches it, however long. References
   to the runtime's plumbing (go/runtime/goplumbing.h) come last: a path passes through plumbing, or
   begins at it on a thread's stack, only if there is no other. Weak roots and weak references
   keep nothing alive: what only they reach is unreachable, but the paths through them are recorded,
   too. */
#pragma once

#include "analysis/root_class.h"
#include "base/index_io.h"

struct goplumbing;
struct heap;
struct names;
struct progress;

struct reach {
	const struct heap *heap;
	const struct goplumbing *plumbing; /* borrowed; NULL: none */
	/* by object: < object count: the previous object on its path; >= object count: count + index
	   of its root; OBJECT_NONE: unreachable */
	uint32_t *parent;
	/* Like `parent`, for objects that only weak roots or weak references reach; NULL: there are
	   none */
	uint32_t *weak;
	uint64_t objects, bytes;           /* reachable objects and their bytes */
	uint64_t weak_objects, weak_bytes; /* objects with a path in `weak`, and their bytes */
	uint8_t *root_class;               /* by root: enum root_class; in a log, GLOBAL or WEAK */
	uint32_t *by_target;               /* all roots, sorted by the object that they point to */
};

/* Computes reachability, after heap_link; `names` and `plumbing` may be NULL. NULL: cancelled. */
struct reach *reach_new(const struct heap *heap, const struct names *names,
                        const struct goplumbing *plumbing, struct progress *progress);
void reach_free(struct reach *reach);
bool reach_has(const struct reach *reach, uint32_t id);
/* Returns true if only weak roots or weak references reach the object. */
bool reach_is_weak(const struct reach *reach, uint32_t id);
/* Returns true for such an object if its path begins at a root that retains and passes a weak
   reference. */
bool reach_is_by_reference(const struct reach *reach, uint32_t id);
/* Returns the predecessor of an object on its path, encoded as in `parent`, also if only weak roots
   reach it. */
uint32_t reach_before(const struct reach *reach, uint32_t id);
/* Returns the roots that point to an object: indices in heap->roots. */
struct ids reach_roots_of(const struct reach *reach, uint32_t id);
/* Returns the number of steps from a root (weak ones included) to the object, 1 if a root points to
   it; counts up to `limit`. */
size_t reach_distance(const struct reach *reach, uint32_t id, size_t limit);

/* Writes reachability to an index, until whose end the columns are borrowed, or reads it. */
bool reach_index(struct reach *reach, const struct index_io *io);
/* Reads reachability from an index instead of computing it; NULL: the file does not have it. */
struct reach *reach_load(const struct heap *heap, const struct names *names,
                         const struct goplumbing *plumbing, const struct index_io *io);
