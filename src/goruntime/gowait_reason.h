/* Wait reasons, the runtime's words for why a goroutine waits. Private to goruntime/gowait.c. */
#ifndef GORUNTIME_GOWAIT_REASON_H
#define GORUNTIME_GOWAIT_REASON_H

#include "goruntime/gowait.h"

/* What kind of thing its wait reason names; GOWAIT_NONE: it does not wait, or for something else.
 */
enum gowait_kind gowait_reason_kind(const struct goroutine *g);
/* Of GOWAIT_NONE: does it run, or is it the operating system, the clock or the runtime that ends
   its waiting? False: nobody can tell. */
bool gowait_reason_is_outside(const struct goroutine *g);

#endif
