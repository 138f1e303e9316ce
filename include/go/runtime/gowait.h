/* Wait reasons of goroutines that only another goroutine can end: a channel, a mutex or WaitGroup,
   a condition. They are found in memory alone, without an executable: the runtime's record of a
   goroutine (runtime.g) refers to one sudog for each thing that it waits for, and those are in the
   queues of channels (runtime/runtime2.go, chan.go, sema.go). Data whose two sides disagree is
   omitted. */
#pragma once

#include "base/index_io.h"

struct heap;

enum gowait_kind {
	/* None of these. If known: it runs, sleeps, or waits for a file or the runtime. If not: the
	   dump has no reason, or one that does not say who can end it. */
	GOWAIT_NONE,
	GOWAIT_FOREVER, /* a nil channel or a select without cases: nothing can wake it up */
	GOWAIT_CHANNEL,
	GOWAIT_SELECT,
	GOWAIT_SEMAPHORE, /* Mutex, RWMutex, WaitGroup: identified by the address of a word */
	GOWAIT_CONDITION, /* sync.Cond */
	GOWAIT_COROUTINE  /* iter.Pull: until a goroutine that holds its record switches to it */
};

/* A channel, and the operation on it. */
struct gowait_case {
	uint64_t channel; /* its address */
	uint32_t object;
	bool sends;
	uint8_t unused[3]; /* written to an index as 0, like those below */
};

struct gowait {
	enum gowait_kind kind;
	bool known; /* `cases` or `address` is set; never for _NONE and _FOREVER */
	uint8_t unused[3];
	uint32_t first, cases; /* channel, select: gowaits.cases[first ...], in the runtime's order */
	/* address: of a semaphore's word, of a condition's list of waiters, or of a coroutine's
	   record */
	uint64_t address;
};

struct gowaits {
	struct gowait *of; /* per goroutine */
	struct gowait_case *cases;
	size_t case_count;
	uint32_t *sudogs; /* all sudogs of goroutines of the dump, ascending */
	uint32_t sudog_count;
};

/* Finds all waits. Requires heap_read. */
struct gowaits *gowaits_new(const struct heap *heap);
void gowaits_free(struct gowaits *waits);

/* Writes the waits to an index, borrowed until it is complete; or reads them into zeroed waits:
   false if the file lacks them. */
bool gowaits_index(struct gowaits *waits, const struct heap *heap, const struct index_io *io);
