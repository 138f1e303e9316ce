/* The allocation profile: one bucket per allocating stack, and the sampled objects. */
#ifndef FORMAT_CORE_BUCKETS_H
#define FORMAT_CORE_BUCKETS_H

#include "core_spans.h"
#include "core_store.h"
#include "format/format.h"

/* Passes all of them to the sink, in the order of a heap dump. */
void core_tell_profile(const struct core_spans *spans, const struct sink *sink,
                       struct core_store *store);

#endif
