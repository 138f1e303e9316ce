/* Which rows of a table are printed, and in which listing. */
#ifndef MAIN_SELECTION_H
#define MAIN_SELECTION_H

#include "main/options.h"
#include "table/filter.h"

struct selection {
	uint32_t *row;   /* numbers of rows; NULL: all of them, as they are */
	uint32_t *depth; /* of a tree: how far below a topmost row each stands; NULL: no tree */
	size_t count;
};

/* The rows for which a filter (or NULL) holds, by a column or, -1, in the table's own listing. Of
   rows that keep that order no more are looked at than options->limit. */
struct selection selection_of_rows(const struct rows *rows, struct filter *filter, int column,
                                   const struct options *options);
/* The rows of a tree down to a depth, each before those below it, `limit` of them at most; of these
 * the ones for which a filter (or NULL) holds. */
struct selection selection_of_tree(struct rows *rows, struct filter *filter, uint32_t depth,
                                   size_t limit);
void selection_fini(struct selection *selection);

/* The rows of a tree from the topmost ones on: `selection_walk_start(&walk, rows); while
   (selection_walk_next(&walk, &next)) ... selection_walk_below(&walk, next)`. free(walk.at). */
struct selection_walk {
	struct rows *rows;
	struct selection_next {
		uint32_t row, depth;
	} * at; /* still to come; the last is the next */
	size_t count, capacity;
};
void selection_walk_start(struct selection_walk *walk, struct rows *rows);
bool selection_walk_next(struct selection_walk *walk, struct selection_next *next);
/* Those just below a row, if there are any, come next. */
void selection_walk_below(struct selection_walk *walk, struct selection_next above);

#endif
