/* The timers that are running: those of package time, what goroutines sleep by, and deadlines of
   connections. Told by memory alone, so that it takes no executable: the runtime keeps them in
   heaps by when they fire, each with where it stands or whose it is (runtime/time.go). What does
   not agree with itself on both sides is not told. Deadlines are no part of an object: from Go 1.14
   on those that were stopped stay for a while, and are not told from others. */
#ifndef GORUNTIME_GOTIMER_H
#define GORUNTIME_GOTIMER_H

#include "heap/heap.h"

enum gotimer_kind {
	GOTIMER_TIMER,         /* sends to a channel */
	GOTIMER_TICKER,        /* does so again and again */
	GOTIMER_CALL,          /* calls a function: time.AfterFunc */
	GOTIMER_SLEEP,         /* wakes a goroutine */
	GOTIMER_RUNTIME,       /* the runtime's own */
	GOTIMER_READ_DEADLINE, /* of a connection, or an open file */
	GOTIMER_WRITE_DEADLINE
};

struct gotimer {
	enum gotimer_kind kind;
	uint32_t object;       /* that it is part of, or the deadline of; OBJECT_NONE: of a variable */
	uint64_t address;      /* of the runtime's struct in it */
	uint64_t when, period; /* by the runtime's clock, ns; when 0: not known; period 0: once */
	uint64_t target;       /* the channel, the func value, the goroutine's record, else nothing */
	uint64_t code;         /* GOTIMER_CALL: of the function, where the dump has it, else 0 */
	uint32_t goroutine;    /* GOTIMER_SLEEP: which one */
	bool unsure;           /* a deadline that may have been stopped */
};

struct gotimers {
	struct gotimer *item; /* in the order of addresses */
	size_t count, capacity;
	struct gotimer_objects {
		uint32_t *id;
		size_t count, capacity;
	} owners, heaps; /* each runtime.p with timers, and the array where it has them */
};

/* After heap_read. */
struct gotimers *gotimers_new(const struct heap *heap);
void gotimers_free(struct gotimers *timers);

#endif
