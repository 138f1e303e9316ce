/* Lost goroutines: those that can never wake up, because nothing that can still run reaches what
   they wait for. What can run is alive, and so is what its stack reaches; a waiting goroutine whose
   channel or lock is alive is alive in its turn, until no more come. Where it cannot be told what a
   goroutine waits for it counts as alive: what is called lost is lost, and `unknown` says how many
   more there may be. Goroutine 1 in an empty select is how programs wait for ever on purpose: it
   wakes nobody, and is not called lost. */
#ifndef ANALYSIS_LOST_H
#define ANALYSIS_LOST_H

#include "analysis/analysis.h"
#include "analysis/reach.h"
#include "goruntime/gowait.h"

enum lost_wait_kind {
	LOST_WAIT_NONE,        /* it can run, or what it waits for is not known */
	LOST_WAIT_NIL_CHANNEL, /* nothing in the world wakes it, as in the next one */
	LOST_WAIT_NO_CASE,
	LOST_WAIT_OBJECTS /* channels, a coroutine; what a lock, a wait group or a condition is part of
	                   */
};

/* What a goroutine waits for. */
struct lost_wait {
	enum lost_wait_kind kind;
	uint32_t first, count; /* LOST_WAIT_OBJECTS: lost->awaited[first ...] */
};

struct lost_goroutine {
	uint32_t goroutine; /* index in heap->goroutines */
	struct lost_wait wait;
	uint64_t stack_bytes;
	uint64_t bytes; /* that it alone holds; what it waits for is held by it, too */
};

struct lost {
	struct lost_goroutine *goroutine; /* in the order of the dump */
	uint32_t count;
	uint32_t *awaited; /* objects */
	size_t awaited_count;
	/* Those of which it cannot be told what they wait for, the runtime's own left out: without a
	   wait reason, in a coroutine, all. */
	uint32_t unknown, unknown_reasons, unknown_coroutines;
	uint32_t waiting; /* not lost, that wait for channels, locks or coroutines */
	bool main_parked; /* goroutine 1 is in an empty select */
	uint64_t stack_bytes, objects, bytes; /* what only lost goroutines hold, together */
	uint64_t shared_bytes;                /* of these, what several of them hold */
};

/* Reach must be known. NULL: cancelled. */
struct lost *lost_new(const struct reach *reach, const struct gowaits *waits,
                      struct progress *progress);
void lost_free(struct lost *lost);
/* Those of an analysis, found once (analysis/kept.h), after STAGE_NAMED and STAGE_REVERSED. NULL:
   cancelled, or no root is known. */
const struct lost *analysis_lost(const struct analysis *analysis, struct progress *progress);

#endif
