/* Checks whether the memory of a running program can be read as a heap. */
#pragma once

#include "base/err.h"

#include <stdbool.h>
#include <sys/types.h>

struct input_options;

/* Returns false with *err if the process cannot be read. Uses only information of the kernel and
   the executable as it was when started; does not stop the process. `exe` (may be NULL) is the
   executable that the user names, for a program that is packed; `options` are those that it is
   opened with. */
bool running_check(pid_t pid, const char *exe, const struct input_options *options,
                   struct err *err);
/* Returns false with *err if a copy of its memory could not be read later: as running_check, but a
   packed program will have its executable then. */
bool running_check_copy(pid_t pid, struct err *err);
