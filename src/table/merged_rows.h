/* Rows of the tables that show shortest paths as one tree: what is alike is one row. */
#ifndef TABLE_MERGED_ROWS_H
#define TABLE_MERGED_ROWS_H

#include "table/columns.h"
#include "table/path_tree.h"

struct merged_rows {
	struct path_tree *own; /* NULL: the tree is that of the whole heap, which is shared */
	const struct step_classes *step_classes;
	const struct merged_paths *merged_paths;
	uint64_t bytes; /* of all rows together */
	/* Of the table where: by row, what the objects there retain; the same table of the oldest
	   earlier dump, NULL: there is none; and by row its row there */
	const uint64_t *retained;
	struct rows *oldest;
	uint32_t *before;
};

/* Fills rows->data and count: the paths to `count` objects, each once, NULL: to all. False: *err.
 */
bool merged_rows_open(struct rows *rows, const uint32_t *ids, size_t count, struct err *err);
void merged_rows_close(struct rows *rows);

const struct merge_node *merged_rows_node(const struct rows *rows, size_t row);
const void *merged_rows_record(const struct rows *rows, size_t row); /* the same */
struct entity merged_rows_entity(const struct rows *rows, size_t row);
/* What leads no further is a page of its own; the others open. */
void merged_rows_link(const struct rows *rows, size_t row, struct buf *command);
column_cell merged_rows_step_cell, merged_rows_type_cell, merged_rows_share_cell;

extern const struct table_tree merged_rows_tree;

#endif
