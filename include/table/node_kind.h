/* What nodes (analysis/dominators.h) are to a tree of them: a short name below the node that holds
   them, a type, and which are alike. */
#ifndef TABLE_NODE_KIND_H
#define TABLE_NODE_KIND_H

#include "table/node.h"

/* "main.Session 0xc000012340", "main.cache", "goroutine 17 main.worker", "main.serve server.go:42",
   "req", "finalizer of 0xc000012340" */
void node_add_label(const struct analysis *analysis, uint32_t node, struct buf *out);
/* The type of an object, a variable, or what a word of a frame holds; false: not known. */
bool node_add_type(const struct analysis *analysis, uint32_t node, struct buf *out);
/* Of an object, 0 of an anchor. */
uint64_t node_address(const struct analysis *analysis, uint32_t node);
/* The root node that a node is; NULL for an object. */
const struct root_node *node_root_node(const struct analysis *analysis, uint32_t node);

/* Nodes of one key are alike: objects of one type (of one size, where that is not known),
   goroutines with one stack, finalizers ... Each other root node is only like itself. */
uint64_t node_key(const struct analysis *analysis, uint32_t node);
/* What those that are like a node are called: "main.Session", "[n]int", "object of 48 B",
   "goroutine main.worker". */
void node_add_kind(const struct analysis *analysis, uint32_t node, struct buf *out);
/* The command that lists those like a root node; nothing for objects. */
void node_link_kind(const struct analysis *analysis, uint32_t node, struct buf *command);

/* How a kind of root node is called in JSON and CSV: "global", "goroutine", ... */
extern const char *const root_node_kind_names[ROOT_NODE_KINDS];

#endif
