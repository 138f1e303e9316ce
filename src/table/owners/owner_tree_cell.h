/* The columns of the tables of owners, and their cells. */
#ifndef TABLE_OWNER_TREE_CELL_H
#define TABLE_OWNER_TREE_CELL_H

#include "table/owners/owner_tree.h"

enum { OWNER_TREE_COLUMNS = 15, TOP_COLUMNS = 8 };
extern const struct column owner_tree_columns[OWNER_TREE_COLUMNS];
extern const struct column top_columns[TOP_COLUMNS]; /* fewer, for the shell */

/* Links groups to a list of their members, and nodes to their pages. */
void owner_tree_link(const struct rows *rows, size_t row, struct buf *command);
enum row_style owner_tree_style(const struct rows *rows, size_t row);
struct entity owner_tree_entity(const struct rows *rows, size_t row);

/* Stores the owners of a shared set, at most OWNERS_MOST, in `out`, the most significant first:
   named variables of the program, threads (the largest group first), then the rest. */
void owner_tree_order_owners(const struct analysis *analysis, const struct owners *owners,
                             struct ids set, uint32_t *out);

#endif
