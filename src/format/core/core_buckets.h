/* The allocation profile: buckets, one a stack that has allocated, and the objects that the
   profiler has looked at. */
#ifndef FORMAT_CORE_BUCKETS_H
#define FORMAT_CORE_BUCKETS_H

#include "core_spans.h"
#include "core_store.h"
#include "format/format.h"

/* Tells the sink of all of them, in the order that a heap dump has them in. */
void core_tell_profile(const struct core_spans *spans, const struct sink *sink,
                       struct core_store *store);

#endif
