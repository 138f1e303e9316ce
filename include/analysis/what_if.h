/* What if some holders went: objects, roots, references between objects are taken away, and what
   they alone have kept alive becomes unreachable. Slow and simple, a search of the whole heap
   each time; for what one object alone keeps there are analysis/dominators.h. */
#ifndef ANALYSIS_WHAT_IF_H
#define ANALYSIS_WHAT_IF_H

#include "analysis/reach.h"

struct what_if;

/* Takes nothing away yet. Borrows reach, which must be known. */
struct what_if *what_if_new(const struct reach *reach);
void what_if_free(struct what_if *what_if);

/* Taken away twice is taken away. */
void what_if_object(struct what_if *what_if, uint32_t id);
void what_if_root(struct what_if *what_if, uint32_t root); /* index in heap->roots */
/* All references from one object to another. */
void what_if_reference(struct what_if *what_if, uint32_t from, uint32_t to);

/* What becomes unreachable, the objects that were taken away included as far as they were
   reachable. */
struct freed {
	uint64_t objects, bytes;
};
/* False: cancelled. May be called again after more has been taken away. */
bool what_if_count(const struct what_if *what_if, struct progress *progress, struct freed *freed);

#endif
