/* Where memory piles up. From each of the biggest owners the way leads down along the part that
   retains most, as long as that keeps nearly all; where it ends is an object with many parts, or
   one large: the place to look at. */
#ifndef ANALYSIS_SUSPECTS_H
#define ANALYSIS_SUSPECTS_H

#include "analysis/dominators.h"

enum { SUSPECT_KEEPS = 70 }; /* percent of what the node before retains */

struct suspect {
	uint32_t owner; /* node: a variable, a goroutine ..., or an object that several hold */
	uint32_t accumulation_point; /* node: where the way down ends; the owner itself if it has no
	                                such part */
	uint32_t parts;              /* nodes immediately dominated by the point */
	uint32_t steps;              /* from the owner to the point */
};
struct suspects {
	struct suspect *suspect; /* the owner that retains most first */
	size_t count;
};

/* The biggest `most` owners. NULL: cancelled. */
struct suspects *suspects_new(const struct dominators *dominators, size_t most,
                              struct progress *progress);
void suspects_free(void *suspects);
/* The few that the first screen tells of, as analysis_suspects has them. */
extern const struct kept_kind suspects_kept;

#endif
