/* The tree of the table where for several dumps of one process: the count of each place, and the
   corresponding place in an earlier dump. Private to src/table. */
#pragma once

#include "table/paths/merged_rows.h"

struct place {
	uint64_t count; /* entries of maps, elements of slices and channels; else objects */
	uint32_t heads; /* objects referenced from another place: of a list, only the first */
	bool holds;     /* they are maps, slices or channels */
};
struct places {
	struct rows *rows;   /* the table where */
	struct place *place; /* by its rows, including those below the topmost */
};

/* Opens the table and counts. False: *err. */
bool places_open(struct places *places, const struct analysis *analysis, struct progress *progress,
                 struct err *err);
void places_close(struct places *places);

/* Returns by row of the opened table where the corresponding row in another dump; UINT32_MAX: there
   is none. The caller frees the result. */
uint32_t *places_before(const struct rows *now, const struct rows *before);
