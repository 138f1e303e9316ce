/* Which rows of a table that is a tree are on the screen, and where: rows open and close in
   place. */
#ifndef UI_FOLD_H
#define UI_FOLD_H

#include "table/table.h"

/* `struct fold fold = {0}` has no rows. */
struct fold {
	struct fold_place {
		size_t row;
		uint32_t depth;
		bool open;
	} *at;
	size_t count, capacity;
};

void fold_fini(struct fold *fold);
/* Puts the rows first ... first + count - 1 at a place. */
void fold_insert(struct fold *fold, size_t place, size_t first, size_t count, uint32_t depth);
/* Not open yet, and with something to show when it is? */
bool fold_can_open(const struct fold *fold, const struct rows *rows, size_t place);
void fold_open(struct fold *fold, struct rows *rows, size_t place);
/* With all that is below it. */
void fold_close(struct fold *fold, size_t place);
/* The place that this one is below of; 0 for a topmost one. */
size_t fold_above(const struct fold *fold, size_t place);

#endif
