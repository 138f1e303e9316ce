/* What if some holders went: objects, roots, references between objects are taken away, and what
   they alone have kept alive becomes unreachable. Slow and simple, a search of the whole heap
   each time; for what one object alone keeps there are analysis/dominators.h. */
#ifndef ANALYSIS_WITHOUT_H
#define ANALYSIS_WITHOUT_H

#include "analysis/reach.h"

struct without;

/* Takes nothing away yet. Borrows reach, which must be known. */
struct without *without_new(const struct reach *reach);
void without_free(struct without *without);

/* Taken away twice is taken away. */
void without_object(struct without *without, uint32_t id);
void without_root(struct without *without, uint32_t root); /* index in heap->roots */
/* All references from one object to another. */
void without_reference(struct without *without, uint32_t from, uint32_t to);

/* What becomes unreachable, the objects that were taken away included as far as they were
   reachable. */
struct freed {
	uint64_t objects, bytes;
};
/* False: cancelled. May be called again after more has been taken away. */
bool without_count(const struct without *without, struct progress *progress, struct freed *freed);

#endif
