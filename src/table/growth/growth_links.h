/* Places of the table growth that are the two halves of one list. Private to src/table/growth.
 */
#ifndef TABLE_GROWTH_LINKS_H
#define TABLE_GROWTH_LINKS_H

#include "table/growth/growth.h"

/* The tree of paths of a dump; a node of the newest one, and its step (src/table/growth/growth.c).
 */
const struct merged_rows *growth_tree(const struct growth *growth, size_t dump);
const struct merge_node *growth_node_of(const struct growth *growth, uint32_t place);
const char *growth_step(const struct growth *growth, uint32_t place);

/* The length of a step without ".next" or ".prev" at its end; SIZE_MAX: it has none. */
size_t growth_before_link(const char *step);
/* Shortest paths to the things of a list that is linked in both directions begin at either end: the
   place with its other half; UINT32_MAX: there is none. */
uint32_t growth_twin(const struct growth *growth, uint32_t place);

#endif
