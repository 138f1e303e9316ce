/* A child process that traces the target. It completes its work when this program is killed, and
   the kernel releases all traced threads when the child itself is killed. */
#pragma once

#include "base/process.h"

/* The work of the keeper: runs in another process with the open files of this one. `self` is shared
   memory. `copy` and `err` are passed back; its progress is cancelled when this program has
   ended. */
typedef bool keeper_work(void *self, struct process_copy *copy, struct progress *progress,
                         struct err *err);

/* Copies `self`, `size` bytes, to shared memory, runs `work` there, and copies it back. If that
   fails or the keeper is killed, another keeper runs `undo`, unless that is NULL, for 10 seconds at
   most. A keeper that was cancelled lets go within a fifth of a second. */
bool keeper_run(keeper_work *work, keeper_work *undo, void *self, size_t size,
                struct process_copy *copy, struct progress *progress, struct err *err);
