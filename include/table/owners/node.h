/* Retained sizes of nodes (analysis/dominators.h): objects and root nodes. Cells are empty until
   the sizes are known. */
#pragma once

#include "table/cell.h"

/* Returns the root node of a node; NULL for an object. */
const struct root_node *node_root_node(const struct analysis *analysis, uint32_t node);

/* Retained size according to analysis_retain. Empty for OBJECT_NONE and unreachable nodes. */
void cell_retained(struct value *value, const struct analysis *analysis, uint32_t node);
/* Retained size of the node of a root (variable, slot, finalizer ...), of a thread, of a frame.
   The arguments are indices in the heap's arrays. */
void cell_retained_root(struct value *value, const struct analysis *analysis, uint32_t root);
void cell_retained_thread(struct value *value, const struct analysis *analysis, uint32_t index);
void cell_retained_frame(struct value *value, const struct analysis *analysis, uint32_t index);
/* Returns the dominator tree that determines what a root class retains; for weak roots, the tree of
   what only they reach. NULL: not ready yet. */
const struct dominators *node_root_class_tree(const struct analysis *analysis,
                                              enum root_class root_class);
/* Returns true if only weak roots reach the object; false for root nodes. */
bool node_is_weak(const struct analysis *analysis, uint32_t node);
/* Stores the retained size in bytes. False: unknown, see cell_retained. */
bool node_retained(const struct analysis *analysis, uint32_t node, uint64_t *bytes);
