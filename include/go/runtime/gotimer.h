/* Active timers: of package time, of sleeping goroutines, and deadlines of connections. They are
   found in memory alone, without an executable: the runtime keeps them in heaps ordered by time,
   and each refers to its position or owner (runtime/time.go). Timers whose two sides disagree are
   omitted. Deadlines are outside of objects: since Go 1.14 stopped ones stay in a heap for a while,
   and cannot be distinguished. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct heap;

enum gotimer_kind {
	GOTIMER_TIMER,         /* sends to a channel */
	GOTIMER_TICKER,        /* sends repeatedly */
	GOTIMER_CALL,          /* calls a function (time.AfterFunc) */
	GOTIMER_SLEEP,         /* wakes a goroutine */
	GOTIMER_RUNTIME,       /* internal to the runtime */
	GOTIMER_READ_DEADLINE, /* of a connection or an open file */
	GOTIMER_WRITE_DEADLINE
};

struct gotimer {
	enum gotimer_kind kind;
	/* object that contains it, or whose deadline it is; OBJECT_NONE: it is in a variable */
	uint32_t object;
	uint64_t address;      /* of the runtime.timer */
	uint64_t when, period; /* in ns of the runtime's clock; when 0: not known; period 0: once */
	uint64_t target;       /* channel, func value, or record of the goroutine; else 0 */
	/* GOTIMER_CALL: address of the function's code if the dump has it, else 0 */
	uint64_t code;
	uint32_t thread; /* GOTIMER_SLEEP: the goroutine */
	bool unsure;     /* a deadline that may have been stopped */
};

struct gotimers {
	struct gotimer *item; /* sorted by address */
	size_t count, capacity;
	struct gotimer_objects {
		uint32_t *id;
		size_t count, capacity;
	} owners, heaps; /* all runtime.p with timers, and their arrays of timers */
};

/* Finds all timers. Requires heap_read. */
struct gotimers *gotimers_new(const struct heap *heap);
void gotimers_free(struct gotimers *timers);
