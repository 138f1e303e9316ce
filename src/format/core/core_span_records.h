/* The memory of the heap as records: its spans, and what is free between them. */
#ifndef FORMAT_CORE_SPAN_RECORDS_H
#define FORMAT_CORE_SPAN_RECORDS_H

#include "core_spans.h"
#include "format/format.h"

/* Tells the sink of all, by address. */
void core_tell_spans(const struct core_spans *spans, const struct sink *sink);

#endif
