/* Who holds something together: no one of them alone retains it, and when all of them go, it goes.
   They are what a gate points at and what leads on from there to the next gate. */
#ifndef ANALYSIS_JOINT_H
#define ANALYSIS_JOINT_H

#include "analysis/gates.h"
#include "analysis/without.h"

struct joint {
	uint32_t *holder; /* nodes, ascending: objects, then anchors */
	size_t count, capacity;
	bool directly; /* the first gate itself points at the second, too */
};

/* Do several ways lead to a gate (not the first)? Soon said. */
bool joint_exists(struct gates *gates, size_t gate);

/* Of the stretch up to a gate (not the first). A single holder, or none but `directly`: there is
   one way only. False: cancelled. */
bool joint_find(struct gates *gates, size_t gate, struct progress *progress, struct joint *joint);
void joint_fini(struct joint *joint);
/* Does it take more than one? */
static inline bool joint_is(const struct joint *joint)
{
	return joint->count + joint->directly > 1;
}

/* What goes when all of them go, and with them the reference of the first gate. False:
   cancelled. */
bool joint_freed(const struct gates *gates, size_t gate, const struct joint *joint,
                 struct progress *progress, struct freed *freed);

#endif
