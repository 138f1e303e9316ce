/* Where in an object its pointers to another one are. */
#ifndef TABLE_REFERENCE_H
#define TABLE_REFERENCE_H

#include "analysis/paths.h"
#include "heap/reference.h"

/* reference_offset for the pointer that leads to step `at` of a path; that of step 0 is in the
 * root. */
uint64_t path_step_offset(const struct heap *heap, const struct path *path, size_t at);

/* How many of the entries before ids.id[at], which are in order, are equal to it. */
size_t reference_rank(struct ids ids, size_t at);

#endif
