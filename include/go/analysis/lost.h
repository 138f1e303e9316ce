/* Lost goroutines: those that can never wake up. The algorithm is a fixed point of reachability: a
   runnable goroutine is alive, and so is all that its stack reaches. A waiting goroutine whose
   channel or lock is alive is alive in turn, until no more are found. A goroutine whose wait object
   is unknown counts as alive: every goroutine reported as lost is lost, and `unknown` counts those
   that may be. Where roots may be missing, this is so of all that wait for an object. Where nothing
   is left that runs, variables reach nothing that could be woken: all are lost. Goroutine 1 in an
   empty select, a common idiom to wait forever, wakes nobody and is not reported as lost. */
#pragma once

#include "analysis/analysis.h"
#include "analysis/reach.h"
#include "go/runtime/gowait.h"

enum lost_wait_kind {
	LOST_WAIT_NONE,        /* runnable, or what it waits for is unknown or not in the heap */
	LOST_WAIT_NIL_CHANNEL, /* nothing can wake it; the same for the next one */
	LOST_WAIT_NO_CASE,
	LOST_WAIT_OBJECTS /* channels, a coroutine, or the object that contains a lock, wait group or
	                     condition */
};

/* The wait of a goroutine. */
struct lost_wait {
	enum lost_wait_kind kind;
	uint32_t first, count; /* LOST_WAIT_OBJECTS: lost->awaited[first ...] */
};

struct lost_goroutine {
	uint32_t thread; /* index in heap->threads */
	struct lost_wait wait;
	uint64_t stack_bytes;
	uint64_t bytes; /* that it alone retains; it also retains what it waits for */
};

/* Whether any goroutine of the program can ever run again. */
enum lost_asleep_state {
	LOST_AWAKE,         /* one may, or it is not asked: a heap dump is written by one that runs */
	LOST_ASLEEP_SAID,   /* none: the runtime has said so, and ended the program */
	LOST_ASLEEP_FOUND,  /* none: all wait for each other, and nothing else can wake one */
	LOST_ASLEEP_DOUBTED /* all wait for each other, but something may wake one, as follows */
};
enum {
	LOST_DOUBT_TIMERS = 1,  /* which timers are set is not known */
	LOST_DOUBT_THREADS = 2, /* which threads are not of Go is not known */
	LOST_DOUBT_BUSY = 4,    /* the runtime itself was at work */
	LOST_DOUBT_SIGNALS = 8  /* which channels get signals is not known */
};
struct lost_asleep {
	uint32_t state, doubts; /* enum lost_asleep_state; bits of LOST_DOUBT_* */
	uint64_t foreign;       /* threads that are not of Go: their code may call into the program */
	uint64_t callbacks;     /* finalizers and cleanups that a collection may call */
};

struct lost {
	struct lost_goroutine *goroutine; /* in file order */
	uint32_t count;
	uint32_t *awaited; /* objects */
	size_t awaited_count;
	/* Goroutines whose wait object is unknown, without those of the runtime: without a wait reason,
	   in a coroutine, all. */
	uint32_t unknown, unknown_reasons, unknown_coroutines;
	uint32_t waiting; /* goroutines that wait for channels, locks or coroutines, in the heap or
	                     elsewhere, and are not lost */
	struct lost_asleep asleep;
	bool main_parked;                     /* goroutine 1 is in an empty select */
	uint64_t stack_bytes, objects, bytes; /* that only lost goroutines retain, together */
	uint64_t shared_bytes;                /* the part of `bytes` that several of them share */
};

/* Finds the lost goroutines; `reach` must be complete. NULL: cancelled. */
struct lost *lost_new(const struct reach *reach, const struct gowaits *waits,
                      struct progress *progress);
void lost_free(struct lost *lost);
/* Returns the cached result of an analysis (analysis/kept.h), after STAGE_NAMED and STAGE_REVERSED.
   NULL: cancelled, or no root is known. */
const struct lost *analysis_lost(const struct analysis *analysis, struct progress *progress);
