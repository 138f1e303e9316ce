/* Goroutines of a core file. */
#ifndef FORMAT_CORE_GOROUTINES_H
#define FORMAT_CORE_GOROUTINES_H

#include "core_runtime.h"
#include "core_store.h"
#include "format/format.h"

/* Tells the sink of all goroutines but dead ones, each with its frames, deferred calls and panics.
   False: cancelled. */
bool core_tell_goroutines(const struct core_runtime *rt, const struct sink *sink,
                          struct core_store *store, struct progress *progress);

#endif
