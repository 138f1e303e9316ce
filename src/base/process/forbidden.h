/* Decides which threads and processes no system call is injected into, since that could kill the
   process or more. */
#pragma once

#include "base/buf.h"

#include <stdbool.h>
#include <sys/types.h>

/* Returns why no call may be injected into the thread, as the end of a sentence: a seccomp filter
   is active, or its children belong to another namespace. Returns NULL if it is allowed. */
const char *forbidden_thread(pid_t id);
/* Returns true if the process has such a thread, or a fork would take what it needs or hang, and
 *fills why. The process need not be stopped. */
bool forbidden_process(pid_t pid, struct buf *why);
