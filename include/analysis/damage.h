/* Consequences of a damaged file for the results. */
#pragma once

#include "base/buf.h"

struct heap;

/* Returns the k-th consequence (from 0) of missing data as a sentence; NULL: no more. An intact
   dump has none. The warning of damage that the reader skipped states its own consequence. */
const char *damage_meaning(const struct heap *heap, size_t k);

/* Returns true if the dump has root records. Without any, reachability is unknown. */
bool damage_has_roots(const struct heap *heap);

/* Subjects of a sentence that says there are none, in the order of a Go dump. Roots are complete
   when finalizers are. */
enum damage_part {
	DAMAGE_OBJECTS, /* in a log or trace: any record */
	DAMAGE_TYPES,
	DAMAGE_THREADS, /* with their frames, deferred calls and panics */
	DAMAGE_OS_THREADS,
	DAMAGE_GLOBALS,
	DAMAGE_FINALIZERS,
	DAMAGE_ROOTS,
	DAMAGE_STATISTICS,
	DAMAGE_PROFILE,
	DAMAGE_SAMPLES,
};
/* Returns true if the dump may have had such records, because the file ends before them or has lost
   data; what is lost behind their end does not count. Appends the reason to `out`, as the rest of a
   sentence: "the file is cut". */
bool damage_cause(const struct heap *heap, enum damage_part part, struct buf *out);
/* What nothing was found to lead to: "root in the dump", or "root that was read" where roots are in
   doubt. */
const char *damage_any_root(const struct heap *heap);
/* Returns what damage_cause does. Appends the sentence that says so to `out`, without a full stop.
   All messages that say there are none of something call this. False: there were none. */
bool damage_doubt(const struct heap *heap, enum damage_part part, struct buf *out);
