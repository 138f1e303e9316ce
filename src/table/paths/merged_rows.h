/* Rows of the tables that show shortest paths as one tree: similar paths share a row. */
#pragma once

#include "table/columns.h"
#include "table/paths/libraries.h"
#include "table/paths/path_tree.h"

struct merged_rows {
	struct path_tree *own; /* NULL: the tree of the whole heap, which is shared */
	const struct path_tree *tree;
	const struct step_classes *step_classes;
	const struct merged_paths *merged_paths;
	const struct merge_node *node; /* by row; without `fold` */
	uint64_t bytes;                /* total of all rows */
	/* Of the table where: retained bytes by row; the same table of the oldest earlier dump, NULL:
	   none; and by row the corresponding row there */
	const uint64_t *retained;
	struct rows *oldest;
	uint32_t *before;
	/* Of the table where: variables of libraries, and the row that stands for them on a screen,
	   which follows all others, and what these were in the oldest dump; by row its topmost row */
	const struct libraries *libraries;
	struct merge_node fold, fold_before;
	uint32_t *top;
};

/* Fills rows->data and count with the paths to `count` distinct objects, NULL: to all. False:
 *err. */
bool merged_rows_open(struct rows *rows, const uint32_t *ids, size_t count, struct err *err);
void merged_rows_close(struct rows *rows);

const struct merge_node *merged_rows_node(const struct rows *rows, size_t row);
/* Returns true for the row that stands for the variables of libraries. */
bool merged_rows_is_fold(const struct rows *rows, size_t row);
/* For struct table. */
const void *merged_rows_record(const struct rows *rows, size_t row);
/* Links rows without children to the page of their object; the others open. */
void merged_rows_link(const struct rows *rows, size_t row, struct buf *command);
column_cell merged_rows_step_cell, merged_rows_type_cell, merged_rows_share_cell;

extern const struct table_tree merged_rows_tree;

/* The members of struct table that all these tables have. */
#define MERGED_ROWS                                                                     \
	.record = merged_rows_record, .link = merged_rows_link, .close = merged_rows_close, \
	.object = ROW_MEMBER(struct merge_node, example, uint32_t), .tree = &merged_rows_tree
