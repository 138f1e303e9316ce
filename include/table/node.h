/* What nodes (analysis/dominators.h) retain: objects, and what holds them from outside of the heap.
   Until it is known what they retain, cells about that are empty. */
#ifndef TABLE_NODE_H
#define TABLE_NODE_H

#include "table/cell.h"

/* The root node that a node is; NULL for an object. */
const struct root_node *node_root_node(const struct analysis *analysis, uint32_t node);

/* By the setting of analysis_retain. Nothing for OBJECT_NONE and for what no root leads to. */
void cell_retained(struct value *value, const struct analysis *analysis, uint32_t node);
/* Of what holds the pointer of a root: variable, slot, finalizer ...; of a goroutine; of a frame:
   by their places in the heap's arrays. */
void cell_retained_root(struct value *value, const struct analysis *analysis, uint32_t root);
void cell_retained_goroutine(struct value *value, const struct analysis *analysis, uint32_t index);
void cell_retained_frame(struct value *value, const struct analysis *analysis, uint32_t index);
/* The tree that tells what a root class has: of weak roots, what only they lead to. NULL: not yet.
 */
const struct dominators *node_root_class_tree(const struct analysis *analysis,
                                              enum root_class root_class);
/* Is it an object that only weak roots lead to? */
bool node_is_weak(const struct analysis *analysis, uint32_t node);
/* The bytes; false: as above. */
bool node_retained(const struct analysis *analysis, uint32_t node, uint64_t *bytes);

#endif
