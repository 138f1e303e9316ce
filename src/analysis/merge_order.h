/* The order of the nodes of merged paths: private to analysis/merge.c. */
#pragma once

#include "analysis/merge.h"

/* Adds an empty node with a label below another one, OBJECT_NONE: below `top`, as the first of its
   children, where the column has room. Returns its number. */
uint32_t merge_order_add(struct merged_paths *paths, struct merge_node *top, uint32_t parent,
                         uint32_t label);
/* Orders nodes, each of which comes after its parent, by depth, then by the number of their
   parents, then the largest first. Until now the children of a node are a list: `first` is 1 + the
   first of them, `next` leads on; `top` has the topmost nodes. The column of nodes has room for
   `room` of them and becomes one of their number. Returns the new numbers, which the caller
   frees. */
uint32_t *merge_order(struct merged_paths *paths, size_t room, const struct merge_node *top);
