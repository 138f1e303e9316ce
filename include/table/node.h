/* What tables say of nodes (analysis/dominators.h): objects, and what holds them from outside of
   the heap. Until it is known what they retain, cells about that are empty. */
#ifndef TABLE_NODE_H
#define TABLE_NODE_H

#include "table/cell.h"

/* "main.cache", "goroutine 17", "goroutine 17 main.worker server.go:42 +0x28", "finalizer of
   0xc000012340", "everything"; of an object its type, or nothing. */
void node_add_name(const struct analysis *analysis, uint32_t node, struct buf *out);

/* As an argument (table/operand.h): "0xc000012340" of an object, "@17" of an anchor. */
void node_add_argument(const struct analysis *analysis, uint32_t node, struct buf *out);

/* The command that opens it: its page where it has one, else what it dominates. */
void node_link(const struct analysis *analysis, uint32_t node, struct buf *command);

/* By the setting of analysis_retain. Nothing for OBJECT_NONE and for what no root leads to. */
void cell_retained(struct value *value, const struct analysis *analysis, uint32_t node);
void cell_retained_objects(struct value *value, const struct analysis *analysis, uint32_t node);
void cell_retained_share(struct value *value, const struct analysis *analysis, uint32_t node);
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
