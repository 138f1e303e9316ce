/* What the runtime remembers of single objects: special records, a list at each span. */
#ifndef FORMAT_CORE_SPECIALS_H
#define FORMAT_CORE_SPECIALS_H

#include "core_spans.h"

/* A special record of a span (runtime/mheap.go: special). */
struct core_special {
	uint64_t structure, object; /* addresses: of the record, of the byte it is about */
	enum core_special_kind {
		SPECIAL_OTHER,
		SPECIAL_FINALIZER,
		SPECIAL_WEAK_HANDLE,
		SPECIAL_PROFILE,
		SPECIAL_CLEANUP
	} kind;
};
/* Calls visit with those of a span; bounded even where the list is damaged. */
void core_span_specials(const struct core_runtime *rt, const struct core_span *span,
                        void (*visit)(void *self, const struct core_special *special), void *self);

#endif
