/* A process of our own that finishes what it has begun when this one is killed. */
#ifndef BASE_PROCESS_KEEPER_H
#define BASE_PROCESS_KEEPER_H

#include "base/process.h"

/* What the keeper does: in another process, with the open files of this one. `self` is memory that
   both see. `copy` and `err` come back; its progress says to stop when this program has ended. */
typedef bool keeper_work(void *self, struct process_copy *copy, struct progress *progress,
                         struct err *err);

/* `self` has `size` bytes. Where the keeper itself is killed, `undo` is called here. */
bool keeper_run(keeper_work *work, void (*undo)(void *self), void *self, size_t size,
                struct process_copy *copy, struct progress *progress, struct err *err);

#endif
