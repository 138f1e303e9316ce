/* The rows of heaps that are broken down: a cell each, or the rest of one. As a tree each row opens
   into its parts along one axis; unfolded there is every cell once. Used by the table breakdown. */
#ifndef TABLE_BREAKDOWN_ROWS_H
#define TABLE_BREAKDOWN_ROWS_H

#include "table/breakdown_query.h"

struct breakdown_row {
	uint32_t heap;    /* which of the breakdowns */
	uint32_t cell;    /* that it is, or is the rest of */
	struct part part; /* part.cell CELL_NONE: the rest */
	enum axis axis;   /* along which it is a part */
	enum axis by;     /* along which its own parts are below it */
	bool can_open, made;
	size_t first, below; /* rows below it, when they are made */
	size_t turned;       /* 1 + the row that has its other parts below it; 0: not made */
};

struct breakdown_rows {
	struct heap_profile_set set;
	struct breakdown_query query;
	struct breakdown **breakdown; /* a heap each */
	size_t count, capacity;
	struct breakdown_row *row;
	size_t row_capacity;
	bool unfolded; /* rows have their whole stacks */
};

/* What a row is about. */
const struct breakdown *breakdown_of_row(const struct breakdown_rows *data, size_t row);
/* Adds a row as it is. */
void breakdown_rows_put(struct rows *rows, struct breakdown_row row);
/* Adds a heap, and its row. */
void breakdown_rows_add(struct rows *rows, const struct heap_profile *heap_profile);
void breakdown_rows_close(struct rows *rows);

/* As struct table_tree has them (table/table.h). A tree is of the heaps that have rows. */
bool breakdown_has_below(const struct rows *rows, size_t row);
size_t breakdown_below(struct rows *rows, size_t row, size_t *first);
bool breakdown_turn(struct rows *rows, size_t row, size_t *turned, struct err *err);

/* Puts every cell of all heaps that the choice has in place of the rows that there are: callers
   before what they call, by stack and then by type, the rest of each after its parts. */
void breakdown_unfold(struct rows *rows);

#endif
