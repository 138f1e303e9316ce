/* From how many roots ways lead to an object, kind by kind. */
#ifndef ANALYSIS_OTHER_ROOTS_H
#define ANALYSIS_OTHER_ROOTS_H

#include "analysis/analysis.h"
#include "goruntime/gotimer.h"

struct other_roots {
	/* By class: variables, goroutines, records, pools, each once however many of its pointers
	   lead there. Weak ones of an object only that only they lead to. */
	uint64_t count[ROOT_CLASSES];
	uint64_t timers;     /* running ones that lead to it, which are no roots themselves */
	bool timers_unknown; /* there are some that lead to so much that they were not followed */
};

/* After STAGE_REVERSED. Goes through what leads to the object; where that is much, and dominators
   are there, these are asked. False: cancelled. */
bool other_roots_find(const struct analysis *analysis, uint32_t object, struct progress *progress,
                      struct other_roots *found);
/* What dominators tell of an object to which not only weak roots lead. What timers lead to is
   followed over so many pointers at most. False: nothing. */
bool other_roots_told(const struct analysis *analysis, const struct gotimers *timers,
                      size_t pointers, uint32_t object, struct progress *progress,
                      struct other_roots *found);
/* The class that a root counts in; ROOT_CLASSES: in none. */
enum root_class other_roots_class(const struct root_nodes *root_nodes, uint32_t root);

#endif
