/* Reachable memory by shape, for dumps whose types cannot be compared. */
#ifndef MAIN_DIFF_SHAPES_H
#define MAIN_DIFF_SHAPES_H

#include "table/typed.h"

/* Like type_groups_reachable, but a group is a slot size with the positions of pointers: "obj[48]
   PP....". */
void diff_shapes(struct type_groups *groups, const struct analysis *analysis);

#endif
