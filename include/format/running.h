/* Checks whether the memory of a running program can be read as a heap. */
#pragma once

#include "base/err.h"

#include <stdbool.h>
#include <sys/types.h>

/* Returns false with *err if the process cannot be read. Uses only information of the kernel and
   the executable as it was when started; does not stop the process. */
bool running_check(pid_t pid, struct err *err);
