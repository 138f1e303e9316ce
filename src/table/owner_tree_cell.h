/* The columns of the tables of owners, and what stands in them. */
#ifndef TABLE_OWNER_TREE_CELL_H
#define TABLE_OWNER_TREE_CELL_H

#include "table/owner_tree.h"

enum { OWNER_TREE_COLUMNS = 15, TOP_COLUMNS = 8 };
extern const struct column owner_tree_columns[OWNER_TREE_COLUMNS];
extern const struct column top_columns[TOP_COLUMNS]; /* for the shell: fewer */

/* Groups lead to a list of what is in them, nodes to their pages. */
void owner_tree_link(const struct rows *rows, size_t row, struct buf *command);
enum row_style owner_tree_style(const struct rows *rows, size_t row);
struct entity owner_tree_entity(const struct rows *rows, size_t row);

/* Puts the owners of a shared set, OWNERS_MOST at most, into `out`, those first that tell a person
   most: variables of the program, goroutines (the most alike first), what the runtime has. */
void owner_tree_order_owners(const struct analysis *analysis, const struct owners *owners,
                             struct ids set, uint32_t *out);

#endif
