/* Running programs: whether their memory can be read as a heap. */
#ifndef FORMAT_RUNNING_H
#define FORMAT_RUNNING_H

#include "base/err.h"

#include <stdbool.h>
#include <sys/types.h>

/* False and *err where it cannot: it says what the process is. All of it comes from what the kernel
   tells and from the executable, as it was when it was started; the process is not stopped. */
bool running_check(pid_t pid, struct err *err);

#endif
