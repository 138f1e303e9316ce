/* Which topmost nodes lead to which others, private to src/analysis. */
#ifndef ANALYSIS_OWNER_WAYS_H
#define ANALYSIS_OWNER_WAYS_H

#include "analysis/owners.h"

enum { OWNER_TOP_MARKS = ROOT_CLASSES + 1 };

struct owner_ways {
	/* By number in owners->top. set: of the owners that are known to lead to it, before any of the
	   ways here is followed; of one that is an owner itself, that one. mark: what it hangs on, one
	   of 0 ... OWNER_TOP_MARKS; for the search that follows, 0 */
	struct owner_top {
		uint32_t set, mark;
	} * top;
	uint32_t tops;
	/* Those that one leads to, where that counts, are to[row[top]] ... to[row[top + 1] - 1], each
	   at least once; owners lead to none here, as the sets tell of them */
	uint32_t *row, *to;
	size_t to_size;
};

/* Needs what owner_co_holder_sets does. False: cancelled; owner_ways_fini either way. */
bool owner_ways_init(struct owner_ways *ways, struct owners *owners, struct progress *progress);
void owner_ways_fini(struct owner_ways *ways);

/* Gives each the owners of all that lead to it: from what changes to what it leads to, as long as
   anything does. Takes a third of the time of finding first what leads to each other, unless many
   owners come from afar to the same, one after the other: false: given up or cancelled, and the
   sets are as far as it came. */
bool owner_ways_spread(struct owner_ways *ways, struct owner_sets *sets, struct progress *progress);

#endif
