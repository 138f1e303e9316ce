/* Passes roots of the runtime to the sink: finalizers, cleanups and weak handles of objects, and
   queued finalizers and cleanups. */
#ifndef FORMAT_CORE_ROOTS_H
#define FORMAT_CORE_ROOTS_H

#include "core_spans.h"
#include "format/format.h"

void core_tell_roots(const struct core_spans *spans, const struct sink *sink);

#endif
