/* A process of our own that holds the other one: it finishes what it has begun when this one is
   killed, and the kernel lets go of all that it traces when it is itself. */
#ifndef BASE_PROCESS_KEEPER_H
#define BASE_PROCESS_KEEPER_H

#include "base/process.h"

/* What the keeper does: in another process, with the open files of this one. `self` is memory that
   both see. `copy` and `err` come back; its progress says to stop when this program has ended. */
typedef bool keeper_work(void *self, struct process_copy *copy, struct progress *progress,
                         struct err *err);

/* `self` has `size` bytes. Where that fails, or the keeper itself is killed, another one does
   `undo`; NULL: nothing is left to be done. */
bool keeper_run(keeper_work *work, keeper_work *undo, void *self, size_t size,
                struct process_copy *copy, struct progress *progress, struct err *err);

#endif
