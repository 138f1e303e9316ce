/* Sums of memory that is allocated but not used, from the tables pinned, slack and duplicates. */
#pragma once

#include "table/table.h"

/* A table whose column wasted_bytes is added up, as far as the tables before it do not count the
   same bytes. */
enum { WASTE_DUPLICATES = 2, WASTE_KINDS };
struct waste_kind {
	const char *table;
	/* Returns how many of the row's wasted bytes count. NULL: all. */
	uint64_t (*counts)(const struct rows *rows, size_t row, uint64_t wasted);
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
