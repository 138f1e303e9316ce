/* Accumulation points. From each of the biggest owners, the search descends the dominator tree
   along the child that retains most, as long as that retains nearly all. It ends at an object with
   many children, or at a large one: the place to look at. */
#pragma once

#include "analysis/dominators.h"

enum { SUSPECT_KEEPS = 70 }; /* percent of the parent's retained bytes */

struct suspect {
	uint32_t owner; /* node: a variable, a thread ..., or an object with several owners */
	/* node: where the descent ends; the owner itself if no child is large enough */
	uint32_t accumulation_point;
	uint32_t parts; /* number of nodes immediately dominated by the point */
	uint32_t steps; /* from the owner to the point */
};
struct suspects {
	struct suspect *suspect; /* the owner that retains most first */
	size_t count;
};

/* Finds the points of the `most` biggest owners. NULL: cancelled. */
struct suspects *suspects_new(const struct dominators *dominators, size_t most,
                              struct progress *progress);
void suspects_free(void *suspects);
/* The cached suspects of the first screen (analysis_suspects). */
extern const struct kept_kind suspects_kept;
