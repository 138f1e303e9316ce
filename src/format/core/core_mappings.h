/* All memory of the process by its use: heap, runtime, executable, ... */
#ifndef FORMAT_CORE_MAPPINGS_H
#define FORMAT_CORE_MAPPINGS_H

#include "core_runtime.h"
#include "format/format.h"

/* Passes all mapped memory to the sink, each byte once, in ascending order. `heap` are the spans
   and free pages of the heap, sorted by address. */
void core_tell_mappings(const struct core_runtime *rt, const struct span_record *heap, size_t spans,
                        const struct sink *sink);

#endif
