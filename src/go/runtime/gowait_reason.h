/* Wait reasons: the runtime's descriptions of why a goroutine waits. Private to
   go/runtime/gowait.c. */
#pragma once

#include "go/runtime/gowait.h"

struct thread;

/* Returns the kind of wait; GOWAIT_NONE: it does not wait, or for something else. */
enum gowait_kind gowait_reason_kind(const struct thread *g);
/* For GOWAIT_NONE: returns true if the goroutine runs, or the operating system, the clock or the
   runtime will end its wait; false if that is not known. */
bool gowait_reason_is_outside(const struct thread *g);
