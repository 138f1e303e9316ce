/* Retaining paths of one object: the best first, then paths that differ from all earlier ones by
   their root or by the last object before the end. If only weak roots reach the object, the paths
   begin there, and keep nothing alive. */
#pragma once

#include "analysis/reach.h"

struct path {
	uint32_t root;  /* index in heap->roots */
	uint32_t *step; /* objects from the root to the end: step[count - 1] is the end */
	size_t count;   /* >= 1 */
};

struct paths;

/* Starts a search, after heap_link and reach. */
struct paths *paths_open(const struct heap *heap, const struct reach *reach, uint32_t object);
void paths_close(struct paths *paths);
/* Returns the k-th path (from 0), computed at the first request and owned by `paths`; NULL: there
   are no more, or `progress` is cancelled. The search is bounded; paths_exhausted returns true if
   it was complete. */
const struct path *paths_get(struct paths *paths, size_t k, struct progress *progress);
bool paths_exhausted(const struct paths *paths);

/* ---- The shortest path from one object to another along references, by breadth-first search. */

/* Returns the objects of the path, both ends included; the caller frees it. NULL: cancelled, or
   there is no path (*found is false). The path from an object to itself is that object. After
   heap_link. */
uint32_t *shortest_path(const struct heap *heap, uint32_t from, uint32_t to,
                        struct progress *progress, size_t *count, bool *found);
