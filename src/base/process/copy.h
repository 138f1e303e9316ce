/* Writes the core file of a stopped process or of its fork. */
#pragma once

#include "staging.h"
#include "stop.h"
#include "unchanged.h"

#include "base/buf.h"

/* Appends notes with the registers of the threads. */
void copy_add_threads(const struct stopped *stopped, struct buf *out);
/* Copies the memory and what precedes it in the core file to `staging`; adds to `unchanged` what is
   read from files later; sets copy->bytes, copy->length and copy->note. Returns false with *err. */
bool copy_memory(pid_t pid, const struct buf *threads, struct staging *staging,
                 struct unchanged *unchanged, struct process_copy *copy, struct progress *progress,
                 struct err *err);
/* Writes what was staged, and the note with the cost of the copy: with what unchanged_write writes
   the core file is complete. Returns false with *err. */
bool copy_write(struct staging *staging, const struct process_copy *copy, struct progress *progress,
                struct err *err);
