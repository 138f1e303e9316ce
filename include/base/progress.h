/* How far a long piece of work is, written by the one who does it and read by whoever waits. */
#ifndef BASE_PROGRESS_H
#define BASE_PROGRESS_H

#include "base/buf.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct progress {
	_Atomic(const char *) what;   /* static text such as "reading objects", NULL when idle */
	_Atomic uint64_t done, total; /* of any unit; total 0 = unknown */
	atomic_bool cancel;           /* set by the one who waits; the work polls it and stops */
	/* Of the work that this is a part of, in another thread: when that is cancelled, so is this;
	   NULL: it is none. Set before the first step. */
	const struct progress *whole;
};

/* progress may be NULL in both. */
void progress_begin(struct progress *progress, const char *what, uint64_t total);

/* True while the work should go on. Cheap, but not free: call it every few thousand steps. */
bool progress_step(struct progress *progress, uint64_t done);

/* The share that is done, 0 ... 1; negative: unknown. */
double progress_share(const struct progress *progress);

/* Appends "reading objects 34%"; `idle` where it is not told what is done. */
void progress_add(const struct progress *progress, const char *idle, struct buf *out);

#endif
