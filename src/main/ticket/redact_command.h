/* Redacted copies of dumps, core files and processes. */
#pragma once

#include "base/input.h"
#include "base/redaction.h"
#include "ui/explorer.h"

/* Writes a redacted input, which says that it is redacted, into an empty file. */
bool redact_write(const struct input *input, const struct redaction *redaction, int fd,
                  struct err *err);
/* Copies a process in memory, redacts the copy and writes it; sets *copy. */
bool redact_process(pid_t pid, int fd, const struct process_options *options,
                    struct process_copy *copy, struct progress *progress, struct err *err);
/* For the explorer: writes a redacted copy of its dump, see struct explorer_writers; compressed if
   the name of the file ends in .gz or .zst. */
bool redact_make(const struct analysis *analysis, const struct file_request *file,
                 struct progress *progress, struct buf *told, struct err *err);
