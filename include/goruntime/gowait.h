/* What goroutines wait for, as far as it is another goroutine that must do it: a channel, the word
   of a mutex or a WaitGroup, a condition. Told by memory alone, so that it takes no executable: the
   runtime's record of a goroutine (runtime.g) leads to a sudog for each thing that it waits for,
   and those stand in the queues of channels (runtime/runtime2.go, chan.go, sema.go). What does not
   agree with itself on both sides is not told. */
#ifndef GORUNTIME_GOWAIT_H
#define GORUNTIME_GOWAIT_H

#include "base/index_file.h"
#include "heap/heap.h"

enum gowait_kind {
	/* For none of these. Known: it runs, sleeps, waits for a file or the runtime. Not known: the
	   dump has no reason, or one that does not say who can end it. */
	GOWAIT_NONE,
	GOWAIT_FOREVER, /* a nil channel, a select without cases: nothing can wake it */
	GOWAIT_CHANNEL,
	GOWAIT_SELECT,
	GOWAIT_SEMAPHORE, /* a Mutex, RWMutex, WaitGroup: until its word says so */
	GOWAIT_CONDITION, /* sync.Cond */
	GOWAIT_COROUTINE  /* of iter.Pull: until a goroutine that holds its record switches to it */
};

/* A channel, and what the goroutine would do with it. */
struct gowait_case {
	uint64_t channel; /* its address */
	uint32_t object;
	bool sends;
	uint8_t unused[3]; /* 0, as it is written to an index; likewise below */
};

struct gowait {
	enum gowait_kind kind;
	bool known; /* `cases` or `address` is there; _NONE and _FOREVER have neither */
	uint8_t unused[3];
	uint32_t first, cases; /* channel, select: gowaits.cases[first ...], in the runtime's order */
	uint64_t address;      /* semaphore: of its word; condition: of the list of those who wait;
	                          coroutine: of its record */
};

struct gowaits {
	struct gowait *of; /* by goroutine */
	struct gowait_case *cases;
	size_t case_count;
	uint32_t *sudogs; /* all objects that are one of a goroutine of the dump, ascending */
	uint32_t sudog_count;
};

/* After heap_read. */
struct gowaits *gowaits_new(const struct heap *heap);
void gowaits_free(struct gowaits *waits);

/* For an index: borrowed until that is written. */
void gowaits_save(const struct gowaits *waits, const struct heap *heap,
                  struct index_writer *writer);
/* In the stead of gowaits_new; NULL: they are not in the file. */
struct gowaits *gowaits_load(const struct heap *heap, struct index_file *file);

#endif
