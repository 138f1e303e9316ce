/* The visible rows of a tree table: rows open and close in place. */
#ifndef UI_OUTLINE_H
#define UI_OUTLINE_H

#include "table/table.h"

/* Initialized by `struct outline outline = {0}`, without rows. */
struct outline {
	struct outline_place {
		size_t row;
		uint32_t depth;
		bool open;
	} * at;
	size_t count, capacity;
};

void outline_fini(struct outline *outline);
/* Inserts the rows first ... first + count - 1 at a place. */
void outline_insert(struct outline *outline, size_t place, size_t first, size_t count,
                    uint32_t depth);
/* Returns true if the row at a place is closed and has children. */
bool outline_can_open(const struct outline *outline, const struct rows *rows, size_t place);
void outline_open(struct outline *outline, struct rows *rows, size_t place);
/* Closes a row and removes its descendants. */
void outline_close(struct outline *outline, size_t place);
/* Returns the place of a row; SIZE_MAX: not visible, because an ancestor is closed. */
size_t outline_place_of(const struct outline *outline, size_t row);
/* Returns the place of the parent; 0 for a topmost row. */
size_t outline_above(const struct outline *outline, size_t place);

#endif
