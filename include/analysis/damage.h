/* What a damaged file means for the answers. */
#ifndef ANALYSIS_DAMAGE_H
#define ANALYSIS_DAMAGE_H

#include "base/buf.h"
#include "heap/heap.h"

/* The k-th consequence (from 0) of what is missing, as a sentence; NULL: no more. An intact dump
   has none. Damage that was skipped says itself what it means, in its warning. */
const char *damage_meaning(const struct heap *heap, size_t k);

/* Does the dump have records of roots? Without any, nothing can be said of what is alive. */
bool damage_has_roots(const struct heap *heap);

/* What a sentence that there is none of something is about, in the order in which dumps of Go have
   it; roots are there when finalizers are. */
enum damage_part {
	DAMAGE_OBJECTS, /* of a log or trace: anything */
	DAMAGE_TYPES,
	DAMAGE_GOROUTINES, /* with their frames, deferred calls and panics */
	DAMAGE_THREADS,
	DAMAGE_GLOBALS,
	DAMAGE_FINALIZERS,
	DAMAGE_ROOTS,
	DAMAGE_STATISTICS,
	DAMAGE_PROFILE,
	DAMAGE_SAMPLES,
};
/* May there have been some all the same, for the file ends before it or has lost something? Appends
   the sentence that says so, without a full stop. Every sentence that there is none of something
   asks here. False: there was none. */
bool damage_doubt(const struct heap *heap, enum damage_part part, struct buf *out);

#endif
