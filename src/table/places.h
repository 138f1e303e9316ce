/* The tree of the table where, of several dumps of one process: how many things each place holds,
   and which place it was in an earlier dump. Private to src/table. */
#ifndef TABLE_PLACES_H
#define TABLE_PLACES_H

#include "table/merged_rows.h"

struct place {
	uint64_t count; /* entries of maps, elements of slices and channels; else objects */
	uint32_t heads; /* objects that are led to from another place: those of a list but the first are
	                   not */
	bool holds;     /* are these maps, slices or channels? */
};
struct places {
	struct rows *rows;   /* of the table where */
	struct place *place; /* by row of it, below the topmost ones too */
};

/* False: *err. */
bool places_open(struct places *places, const struct analysis *analysis, struct progress *progress,
                 struct err *err);
void places_close(struct places *places);

/* By row of the table where, opened of a dump: the row of the same steps in another dump,
   UINT32_MAX: there is none. free() it. */
uint32_t *places_before(const struct rows *now, const struct rows *before);

#endif
