/* The message of runtime.fatal or runtime.throw, called on the stack of the scheduler, which is no
   goroutine's: "all goroutines are asleep - deadlock!". */
#pragma once

#include "core_runtime.h"

/* Returns the message, borrowed; empty: the thread that the signal has ended was not in such a
   call, or it is not known. */
struct text core_fatal(const struct core_runtime *rt);
