/* The part of a path between two gates that follow each other, and the ways that may replace it:
   they differ by what points at the second gate. */
#ifndef ANALYSIS_STRETCH_H
#define ANALYSIS_STRETCH_H

#include "analysis/gates.h"

struct stretch {
	size_t gate;       /* number of the second gate */
	size_t first, end; /* steps of the path: the first behind the first gate; the second gate */
	uint32_t *holder;  /* of each way the node that points at the second gate: objects, then anchors */
	size_t ways, way;  /* how many; the one that the path takes */
	bool limited;      /* there may be more */
};

/* The stretch that a step lies in, a gate belonging to the stretch before it. */
void stretch_init(struct stretch *stretch, struct gates *gates, const struct path *path,
                  size_t step);
void stretch_fini(struct stretch *stretch);

/* The path with another way of the stretch, the shortest there is. False: cancelled. free() its
   steps. */
bool stretch_take(const struct stretch *stretch, struct gates *gates, const struct path *path,
                  size_t way, struct progress *progress, struct path *taken);

#endif
