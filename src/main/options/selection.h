/* The selection and order of printed rows. */
#pragma once

#include "main/options/options.h"
#include "table/query/filter.h"

struct selection {
	uint32_t *row;   /* row numbers; NULL: all rows, in order */
	uint32_t *depth; /* in a tree: the depth of each row below a topmost row; NULL: no tree */
	size_t first;    /* as many of the first are left out of the output */
	size_t count;
};

/* Returns the rows that match a filter (or NULL), sorted by a column or, with -1, in the table's
   order. Without sorting, stops after options->limit rows; of sorted rows, those after the limit
   are counted, but not certain to be in selection.row, unless `whole`. */
struct selection selection_of_rows(const struct rows *rows, struct filter *filter, int column,
                                   const struct options *options, bool whole);
/* Walks a tree in preorder down to options->depth, until there are options->limit rows; returns
   those that match a filter (or NULL). */
struct selection selection_of_tree(struct rows *rows, struct filter *filter,
                                   const struct options *options);
void selection_fini(struct selection *selection);

/* A preorder walk over a tree: `selection_walk_start(&walk, rows); while
   (selection_walk_next(&walk, &next)) ... selection_walk_below(&walk, next)`. The caller frees
   walk.at. */
struct selection_walk {
	struct rows *rows;
	struct selection_next {
		uint32_t row, depth;
	} * at; /* a stack of rows to visit */
	size_t count, capacity;
};
void selection_walk_start(struct selection_walk *walk, struct rows *rows);
bool selection_walk_next(struct selection_walk *walk, struct selection_next *next);
/* Makes the children of a row, if any, come next. */
void selection_walk_below(struct selection_walk *walk, struct selection_next above);
