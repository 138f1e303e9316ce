/* Redacted copies of dumps, core files and processes. */
#ifndef MAIN_REDACT_COMMAND_H
#define MAIN_REDACT_COMMAND_H

#include "base/input.h"
#include "base/redaction.h"

/* Writes a redacted input, which says that it is redacted, into an empty file. */
bool redact_write(const struct input *input, const struct redaction *redaction, int fd,
                  struct err *err);
/* Copies a process in memory, redacts the copy and writes it; sets *copy. */
bool redact_process(pid_t pid, int fd, struct process_copy *copy, struct progress *progress,
                    struct err *err);

#endif
