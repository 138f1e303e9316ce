/* Reachability: a shortest path from a root to every object that has one.

   Roots are taken class by class, the firmest first (analysis/root_class.h): variables of the
   program, the frames of goroutines that have been parked since an earlier collection, those of
   others, and the rest. An object gets a path from a root of the firmest class that leads to it,
   however long, and the shortest of these. References to the runtime's plumbing
   (goruntime/goplumbing.h) come last: only what nothing else leads to has a path through one, or
   begins at such a structure on a goroutine's stack. Weak roots keep nothing alive:
   what only they lead to is unreachable, but how they lead to it is known, too. */
#ifndef ANALYSIS_REACH_H
#define ANALYSIS_REACH_H

#include "analysis/root_class.h"
#include "base/index_file.h"
#include "goruntime/goplumbing.h"

struct reach {
	const struct heap *heap;
	const struct goplumbing *plumbing; /* borrowed; NULL: there is none */
	uint32_t *parent; /* by object: < object count: the object before it on its path;
	                     >= object count: count + index of its root; OBJECT_NONE: unreachable */
	/* By object: the same of those that only weak roots lead to; NULL: there are none */
	uint32_t *weak;
	uint64_t objects, bytes;           /* reachable */
	uint64_t weak_objects, weak_bytes; /* those that only weak roots lead to */
	uint8_t *root_class;               /* by root: enum root_class; of a log, GLOBAL or WEAK */
	uint32_t *by_target;               /* all roots, sorted by the object they point to */
};

/* After heap_link; `names` and `plumbing` may be NULL. NULL: cancelled */
struct reach *reach_new(const struct heap *heap, const struct names *names,
                        const struct goplumbing *plumbing, struct progress *progress);
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
uint64_t reach_memory(const struct reach *reach);

/* For an index: borrowed until that is written. */
void reach_save(const struct reach *reach, struct index_writer *writer);
/* In the stead of reach_new; NULL: it is not in the file. */
struct reach *reach_load(const struct heap *heap, const struct names *names,
                         const struct goplumbing *plumbing, struct index_file *file);

#endif
