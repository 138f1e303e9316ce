/* The shortest path from one object to another along references, by breadth-first search. */
#ifndef ANALYSIS_SHORTEST_PATH_H
#define ANALYSIS_SHORTEST_PATH_H

#include "heap/heap.h"

/* Returns the objects of the path, both ends included; the caller frees it. NULL: cancelled, or
   there is no path (*found is false). The path from an object to itself is that object. After
   heap_link. */
uint32_t *shortest_path(const struct heap *heap, uint32_t from, uint32_t to,
                        struct progress *progress, size_t *count, bool *found);

#endif
