/* The core file of a process that does not run. */
#ifndef BASE_PROCESS_COPY_H
#define BASE_PROCESS_COPY_H

#include "stop.h"

#include "base/buf.h"

/* Appends the notes of its threads with their registers. */
void copy_add_threads(const struct stopped *stopped, struct buf *out);
/* Writes it to `fd`; fills copy->bytes and length. False: *err. */
bool copy_memory(pid_t pid, int fd, const struct buf *threads, struct process_copy *copy,
                 struct progress *progress, struct err *err);
/* Puts into the file what it has cost. False: *err. */
bool copy_tell_cost(int fd, const struct process_copy *copy, struct err *err);

#endif
