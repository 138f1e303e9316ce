/* Goroutines of a core file. */
#ifndef FORMAT_CORE_GOROUTINES_H
#define FORMAT_CORE_GOROUTINES_H

#include "core_runtime.h"
#include "core_store.h"
#include "format/format.h"

/* Passes all live goroutines to the sink, each with frames, deferred calls and panics. Returns
   false if cancelled. */
bool core_tell_goroutines(const struct core_runtime *rt, const struct sink *sink,
                          struct core_store *store, struct progress *progress);

#endif
