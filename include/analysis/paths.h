/* Retaining paths of one object: the best first, then others that differ from all before them by
   their root or by the last object before the end. Of an object that only weak roots lead to, the
   ways from these, which keep nothing alive. */
#ifndef ANALYSIS_PATHS_H
#define ANALYSIS_PATHS_H

#include "analysis/reach.h"

struct path {
	uint32_t root;  /* index in heap->roots */
	uint32_t *step; /* objects from the root to the end, both included: step[count-1] is the object
	                 */
	size_t count;   /* >= 1 */
};

struct paths;

/* After heap_reverse and reach. */
struct paths *paths_open(const struct heap *heap, const struct reach *reach, uint32_t object);
void paths_close(struct paths *paths);
/* The k-th path (from 0), searched when it is first asked for; NULL when there are no more or
   `progress` is cancelled. Belongs to `paths`. The search for others is bounded; paths_exhausted
   tells whether it looked everywhere. */
const struct path *paths_get(struct paths *paths, size_t k, struct progress *progress);
bool paths_exhausted(const struct paths *paths);

/* Offset, from the address of the object before it (or of the root's memory), of the reference that
   leads to step k of the path; UINT64_MAX where the reference has no place (k = 0 of a
   finalizer). */
uint64_t path_offset(const struct heap *heap, const struct path *path, size_t k);

#endif
