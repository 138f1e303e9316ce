/* Sums of memory that is allocated but not used, from the tables pinned, slack and duplicates. */
#ifndef TABLE_WASTE_H
#define TABLE_WASTE_H

#include "table/table.h"

/* A table whose column wasted_bytes is added up, except for certain rows. */
enum { WASTE_DUPLICATES = 2, WASTE_KINDS };
struct waste_kind {
	const char *table;
	bool (*skips)(const struct rows *rows, size_t row); /* NULL: all rows count */
};
extern const struct waste_kind waste_kinds[WASTE_KINDS];

struct waste_sum {
	uint64_t bytes;
	struct buf most; /* the place of the largest row */
};
/* Adds up the table; its stages must be finished. `progress` may be NULL. False: *err, or
   cancelled. */
bool waste_add_up(const struct analysis *analysis, const struct waste_kind *kind,
                  struct waste_sum *sum, struct progress *progress, struct err *err);

#endif
