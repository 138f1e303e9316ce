/* Heap memory as records: spans and free pages. */
#ifndef FORMAT_CORE_SPAN_RECORDS_H
#define FORMAT_CORE_SPAN_RECORDS_H

#include "core_spans.h"
#include "format/format.h"

/* Passes all of them to the sink in ascending order of addresses. */
void core_tell_spans(const struct core_spans *spans, const struct sink *sink);

#endif
