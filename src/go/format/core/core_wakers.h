/* What may wake goroutines where all of them wait: timers of the scheduler's processors
   (runtime.p), threads that the runtime has not made, signals. */
#pragma once

#include "core_runtime.h"

/* Finds it; core_wakers_fini frees what it holds. */
void core_wakers_find(struct core_runtime *rt, struct wakers_note *note);
void core_wakers_fini(struct wakers_note *note);
