/* The part of a path between two dominators that follow each other, and the ways that may replace
   it: they differ by what points at the second dominator. */
#ifndef ANALYSIS_PATH_SEGMENT_H
#define ANALYSIS_PATH_SEGMENT_H

#include "analysis/path_dominators.h"

struct path_segment {
	size_t path_dominator; /* number of the second dominator */
	size_t first, end;     /* steps of the path: the first behind the first dominator; the second
	                          dominator */
	uint32_t *holder; /* of each way the node that points at the second dominator: objects, then
	                     root nodes */
	size_t ways, way; /* how many; the one that the path takes */
	bool limited;     /* there may be more */
};

/* The segment that a step lies in, a dominator belonging to the segment before it. */
void path_segment_init(struct path_segment *segment, struct path_dominators *path_dominators,
                       const struct path *path, size_t step);
void path_segment_fini(struct path_segment *segment);

/* The path with another way of the segment, the shortest there is. False: cancelled. free() its
   steps. */
bool path_segment_take(const struct path_segment *segment, struct path_dominators *path_dominators,
                       const struct path *path, size_t way, struct progress *progress,
                       struct path *taken);

#endif
