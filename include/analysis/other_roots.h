/* The number of roots that reach an object, by class. */
#pragma once

#include "analysis/analysis.h"
#include "go/runtime/gotimer.h"

struct other_roots {
	/* By class: variables, threads, records, pools; each counts once, however many of its
	   pointers reach the object. Weak roots count only for objects that no other root reaches. */
	uint64_t count[ROOT_CLASSES];
	uint64_t timers;     /* running timers that reach it; they are no roots themselves */
	bool timers_unknown; /* some timers reach too much, and were not followed */
};

/* Counts the roots, after STAGE_REVERSED. Searches backward from the object; if it has too many
   predecessors, uses the dominators if there are any. False: cancelled. */
bool other_roots_find(const struct analysis *analysis, uint32_t object, struct progress *progress,
                      struct other_roots *found);
/* Counts the roots by dominators alone, for an object that has a root that is not weak. Follows at
   most `pointers` pointers from timers. False: not possible. */
bool other_roots_by_dominators(const struct analysis *analysis, const struct gotimers *timers,
                               size_t pointers, uint32_t object, struct progress *progress,
                               struct other_roots *found);
/* Returns the numbers without a root: that of the path that is shown. */
struct other_roots other_roots_without(const struct analysis *analysis,
                                       const struct other_roots *all, uint32_t root);
/* Appends "also reached through 3,024 goroutines, 1 timer", or "no other root leads to it". */
void other_roots_add(const struct analysis *analysis, const struct other_roots *others,
                     struct buf *out);
