/* The rows of broken-down heaps: one per cell, or for the rest of a cell. In the tree, each row
   opens into its parts along one axis; unfolded, every cell appears once. For the table
   breakdown. */
#pragma once

#include "table/breakdown/breakdown_query.h"

struct breakdown_row {
	uint32_t heap;    /* index in breakdown[] */
	uint32_t cell;    /* the row's cell, or the cell that it is the rest of */
	struct part part; /* part.cell CELL_NONE: the rest */
	enum axis axis;   /* axis along which the row is a part of its parent */
	enum axis by;     /* axis of the row's own parts */
	bool can_open, made;
	size_t first, below; /* child rows, once they are made */
	size_t turned;       /* 1 + the row with the parts along the other axis; 0: not made */
};

struct breakdown_rows {
	struct heap_profile_set set;
	struct breakdown_query query;
	struct breakdown **breakdown; /* one per heap */
	size_t count, capacity;
	struct breakdown_row *row;
	size_t row_capacity;
	bool unfolded; /* rows contain their whole stacks */
};

/* Returns the breakdown that a row belongs to. */
const struct breakdown *breakdown_of_row(const struct breakdown_rows *data, size_t row);
/* Appends a row unchanged. */
void breakdown_rows_put(struct rows *rows, struct breakdown_row row);
/* Appends a heap and its row. */
void breakdown_rows_add(struct rows *rows, const struct heap_profile *heap_profile);
void breakdown_rows_close(struct rows *rows);

/* Functions for struct table_tree (table/table.h). The tree contains the heaps that have rows. */
bool breakdown_has_below(const struct rows *rows, size_t row);
size_t breakdown_below(struct rows *rows, size_t row, size_t *first);
bool breakdown_turn(struct rows *rows, size_t row, size_t *turned, struct err *err);

/* Replaces all rows by every cell of all selected heaps: callers before callees, by stack and then
   by type, the rest of each after its parts. */
void breakdown_unfold(struct rows *rows);
