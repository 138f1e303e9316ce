/* Progress of a long computation, written by the thread that computes and read by the one that
   waits. */
#pragma once

#include "base/buf.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct progress {
	_Atomic(const char *) what;   /* static text such as "reading objects", NULL when idle */
	_Atomic uint64_t done, total; /* in any unit; total 0: unknown */
	/* set by the waiting thread; the computation polls it and stops */
	atomic_bool cancel;
	/* Progress of the computation that this one is a part of, in another thread, or NULL:
	   cancelling that one cancels this one. Set it before the first step. */
	const struct progress *whole;
};

/* Both accept NULL. */
void progress_begin(struct progress *progress, const char *what, uint64_t total);

/* Returns true while the computation should continue. Call it every few thousand steps: it is
   cheap, but not free. */
bool progress_step(struct progress *progress, uint64_t done);

/* Returns the completed fraction, 0 ... 1; negative: unknown. */
double progress_share(const struct progress *progress);

/* Appends a text such as "reading objects 34%", or `idle` if no task is set. */
void progress_add(const struct progress *progress, const char *idle, struct buf *out);
