/* Special records: data that the runtime attaches to single objects, in one list per span. */
#pragma once

#include "core_spans.h"

/* A special record (runtime/mheap.go: special). */
struct core_special {
	/* addresses of the record and of the object's byte that it is attached to */
	uint64_t structure, object;
	enum core_special_kind {
		SPECIAL_OTHER,
		SPECIAL_FINALIZER,
		SPECIAL_WEAK_HANDLE,
		SPECIAL_PROFILE,
		SPECIAL_CLEANUP
	} kind;
};
/* Calls visit for the special records of a span; terminates even if the list is damaged. */
void core_span_specials(const struct core_runtime *rt, const struct core_span *span,
                        void (*visit)(void *self, const struct core_special *special), void *self);
