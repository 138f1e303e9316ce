/* The offsets of an object's pointers to another one. */
#ifndef TABLE_REFERENCE_H
#define TABLE_REFERENCE_H

#include "analysis/paths.h"
#include "heap/reference.h"

/* Returns reference_offset for the pointer to step `at` of a path. The pointer to step 0 is the
   root's. */
uint64_t path_step_offset(const struct heap *heap, const struct path *path, size_t at);

/* Returns how many entries before ids.id[at] equal it. The ids are ascending. */
size_t reference_rank(struct ids ids, size_t at);

#endif
