/* A segment: the part of a path between two consecutive dominators, and its alternatives.
   Alternatives differ by the predecessor of the second dominator. */
#ifndef ANALYSIS_PATH_SEGMENT_H
#define ANALYSIS_PATH_SEGMENT_H

#include "analysis/path_dominators.h"

struct path_segment {
	size_t path_dominator; /* index of the second dominator */
	/* steps of the path: the first after the first dominator, and the second dominator */
	size_t first, end;
	/* of each alternative: the predecessor of the second dominator; objects first, then root
	   nodes */
	uint32_t *holder;
	size_t count, current; /* the number of alternatives; the one that the path takes */
	bool limited;          /* there may be more */
};

/* Finds the segment of a step; a dominator belongs to the segment before it. */
void path_segment_init(struct path_segment *segment, struct path_dominators *path_dominators,
                       const struct path *path, size_t step);
void path_segment_fini(struct path_segment *segment);

/* Stores in *taken the path with another alternative of the segment, the shortest one. False:
   cancelled. The caller frees its steps. */
bool path_segment_take(const struct path_segment *segment, struct path_dominators *path_dominators,
                       const struct path *path, size_t alternative, struct progress *progress,
                       struct path *taken);

#endif
