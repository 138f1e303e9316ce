/* How firmly a root holds, the firmest first. An object's path begins at the firmest root that
   leads to it; what a firmer root node leads to is its own, whatever else points at it. */
#ifndef ANALYSIS_ROOT_CLASS_H
#define ANALYSIS_ROOT_CLASS_H

#include "types/names.h"

enum root_class {
	ROOT_CLASS_GLOBAL,    /* variables of the program; without an executable the runtime's, too */
	ROOT_CLASS_PARKED,    /* goroutines that wait */
	ROOT_CLASS_RUNNING,   /* others, which are gone in a moment */
	ROOT_CLASS_TIMER,     /* what running timers will call */
	ROOT_CLASS_RUNTIME,   /* the runtime's own variables and records */
	ROOT_CLASS_FINALIZER, /* what a finalizer will need */
	ROOT_CLASS_POOL,      /* what waits in a sync.Pool, and may go at any collection */
	ROOT_CLASS_WEAK,      /* weak roots of a log, which keep nothing alive */
	ROOT_CLASSES
};
extern const char *const root_class_names[ROOT_CLASSES]; /* "global", "parked", ... (JSON names) */

/* Does the class have roots of its own? Pools and timers have none: other roots lead to what they
   hold. */
static inline bool root_class_has_roots(enum root_class root_class)
{
	return root_class != ROOT_CLASS_POOL && root_class != ROOT_CLASS_TIMER;
}

/* `names` may be NULL. Returns a class that has roots. */
enum root_class root_class_of(const struct heap *heap, const struct names *names,
                              const struct root *root);
/* PARKED or RUNNING: locals of a goroutine that waits last as long as it does, be it since before
   the last collection or not; those of one that runs are gone in a moment. */
enum root_class root_class_of_goroutine(const struct heap *heap, uint32_t goroutine);
/* Does the root keep its object alive? A weak one does not. */
bool root_retains(const struct root *root);

#endif
