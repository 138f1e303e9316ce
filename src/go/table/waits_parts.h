/* The parts of runtimes/go/table/waits.h. Private to src/table/waits*.c. */
#pragma once

#include "analysis/analysis.h"

/* Appends what a goroutine waits for outside of the program: "read tcp 127.0.0.1:80 from
   127.0.0.1:4711, fd 6", "timer in 999 h"; nothing unless memory proves it. */
void waits_add_outside(const struct analysis *analysis, uint32_t thread, struct buf *out);
/* Appends the same for several: "read tcp, 120 different", "timers, the first in 3 s". */
void waits_add_outside_common(const struct analysis *analysis, struct ids threads, struct buf *out);
/* Appends ", from a timer in 3 s" for the channel of a timer. False: it is none, or unknown. */
bool waits_add_channel_timer(const struct analysis *analysis, uint32_t channel, struct buf *out);

enum waits_lock { WAITS_MUTEX, WAITS_WAIT_GROUP, WAITS_OTHER_LOCK };
/* Returns the kind of lock by its type in package sync: "Mutex". */
enum waits_lock waits_lock_of(struct text type);
/* Returns the offset of the semaphore that a thread waits for in its lock, by the waiting method or
   the wait reason; 0: unknown. */
uint64_t waits_lock_offset(const struct analysis *analysis, uint32_t thread, uint64_t semaphore);
/* The methods of package sync that a thread waits in, innermost first, inlined calls included if
   the executable is there: "sync.(*RWMutex).RLock". Others may follow, which only call what waits:
   they do not count. */
struct waits_methods {
	const struct analysis *analysis;
	uint32_t thread;
	uint32_t frame;
	size_t line; /* of the frame's inlined calls */
};
/* Takes the next one. The text is the dump's or the executable's. False: there are no more. */
bool waits_next_method(struct waits_methods *methods, struct text *method);
/* Appends ", locked, 2 wait" or ", counter 1" from the words before the semaphore's; nothing unless
   these say that somebody waits. */
void waits_add_lock_state(const struct heap *heap, enum waits_lock lock, uint64_t semaphore,
                          struct buf *out);
