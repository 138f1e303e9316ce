/* All memory of the process by whom it is of: the heap, the runtime, the executable, ... */
#ifndef FORMAT_CORE_MAPPINGS_H
#define FORMAT_CORE_MAPPINGS_H

#include "core_runtime.h"
#include "format/format.h"

/* Tells the sink of every byte that was mapped, once, by address. `heap`: spans and free pages of
   the heap, by address. */
void core_tell_mappings(const struct core_runtime *rt, const struct span_record *heap, size_t spans,
                        const struct sink *sink);

#endif
