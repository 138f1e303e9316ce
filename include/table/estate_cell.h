/* The columns of the tables of owners, and what stands in them. */
#ifndef TABLE_ESTATE_CELL_H
#define TABLE_ESTATE_CELL_H

#include "table/estate.h"

enum { ESTATE_COLUMNS = 10, TOP_COLUMNS = 6 };
extern const struct column estate_columns[ESTATE_COLUMNS];
extern const struct column top_columns[TOP_COLUMNS]; /* for the shell: fewer */

/* Groups lead to a list of what is in them, nodes to their pages. */
void estate_link(const struct rows *rows, size_t row, struct buf *command);
enum row_style estate_style(const struct rows *rows, size_t row);
uint32_t estate_object(const struct rows *rows, size_t row);

/* "main.cache", "50 × goroutine main.worker" */
void estate_add_owner(const struct analysis *analysis, const struct owner *owner, struct buf *out);
/* Those of a holding, the most telling first: "main.cache", "main.gCache and main.gCacheLast",
   "main.a and 7 more", "more than 64 owners". */
void estate_add_owners(const struct analysis *analysis, const struct owners *owners, struct ids set,
                       struct buf *out);
/* Puts the owners of a holding, OWNERS_MOST at most, into `out`, those first that tell a person
   most: variables of the program, goroutines (the most alike first), what the runtime has. */
void estate_order_owners(const struct analysis *analysis, const struct owners *owners,
                         struct ids set, uint32_t *out);

#endif
