/* Which rows of a table that is a tree are on the screen, and where: rows open and close in
   place. */
#ifndef UI_OUTLINE_H
#define UI_OUTLINE_H

#include "table/table.h"

/* `struct outline outline = {0}` has no rows. */
struct outline {
	struct outline_place {
		size_t row;
		uint32_t depth;
		bool open;
	} * at;
	size_t count, capacity;
};

void outline_fini(struct outline *outline);
/* Puts the rows first ... first + count - 1 at a place. */
void outline_insert(struct outline *outline, size_t place, size_t first, size_t count,
                    uint32_t depth);
/* Not open yet, and with something to show when it is? */
bool outline_can_open(const struct outline *outline, const struct rows *rows, size_t place);
void outline_open(struct outline *outline, struct rows *rows, size_t place);
/* With all that is below it. */
void outline_close(struct outline *outline, size_t place);
/* Where a row is; SIZE_MAX: nowhere, as what is above it is closed. */
size_t outline_place_of(const struct outline *outline, size_t row);
/* The place that this one is below of; 0 for a topmost one. */
size_t outline_above(const struct outline *outline, size_t place);

#endif
