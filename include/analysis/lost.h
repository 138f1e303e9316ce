/* Lost goroutines: those that can never wake up, because nothing that can still run reaches what
   they wait for. What can run is alive, and so is what its stack reaches; a waiting goroutine whose
   channel or lock is alive is alive in its turn, until no more come. Where it cannot be told what a
   goroutine waits for it is alive: what is called lost is lost. */
#ifndef ANALYSIS_LOST_H
#define ANALYSIS_LOST_H

#include "analysis/analysis.h"
#include "analysis/reach.h"
#include "goruntime/gowait.h"

enum lost_wait_kind {
	LOST_WAIT_NONE,        /* it can run, or what it waits for is not known */
	LOST_WAIT_NIL_CHANNEL, /* nothing in the world wakes it, as in the next one */
	LOST_WAIT_NO_CASE,
	LOST_WAIT_OBJECTS /* channels; what a lock, a wait group or a condition variable is part of */
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
	/* Does the dump say what goroutines wait for? If not, only those are found that wait for
	   nothing at all. */
	bool known;
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
