/* Which words of a heap stay when it is redacted: addresses, and numbers that a type says are
   lengths, capacities, control words of maps, or the runtime's own. */
#pragma once

#include "base/redaction.h"
#include "go/types/locals.h"
#include "go/types/names.h"
#include "go/types/statics.h"
#include "go/types/typing.h"

/* What is known about a heap. Without an executable the last four are NULL, and only pointers
   stay. */
struct redact_source {
	const struct heap *heap;
	struct names *names;
	struct gotypes *types;
	struct typing *typing;
	struct locals *locals;
	struct statics *statics;
};

/* Adds the contents of all objects, frames and data segments as zones, and what of them stays.
   Requires heap_link. Returns false if cancelled. */
bool redact_heap(const struct redact_source *source, struct redaction *redaction,
                 struct progress *progress);
