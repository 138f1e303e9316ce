/* Writes the core file of a stopped process or of its fork. */
#ifndef BASE_PROCESS_COPY_H
#define BASE_PROCESS_COPY_H

#include "staging.h"
#include "stop.h"

#include "base/buf.h"

/* Appends notes with the registers of the threads. */
void copy_add_threads(const struct stopped *stopped, struct buf *out);
/* Reads the memory into `staging`, and writes what has no room there to `fd` at once; sets
   copy->bytes and copy->length. Returns false with *err. */
bool copy_memory(pid_t pid, int fd, const struct buf *threads, struct staging *staging,
                 struct process_copy *copy, struct progress *progress, struct err *err);
/* Writes what was staged: the core file is whole then, but for copy_tell_cost. Returns false with
 *err. */
bool copy_write(int fd, const struct staging *staging, const struct process_copy *copy,
                struct progress *progress, struct err *err);
/* Fills in the note with the cost of the copy. Returns false with *err. */
bool copy_tell_cost(int fd, const struct process_copy *copy, struct err *err);

#endif
