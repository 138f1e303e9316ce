/* The shortest way from one object to another along references. */
#ifndef ANALYSIS_SHORTEST_PATH_H
#define ANALYSIS_SHORTEST_PATH_H

#include "heap/heap.h"

/* Both included; free() it. NULL: cancelled, or *found is false: there is none. From an object to
   itself it is that object. After heap_link. */
uint32_t *shortest_path(const struct heap *heap, uint32_t from, uint32_t to,
                        struct progress *progress, size_t *count, bool *found);

#endif
