/* Which calls may not be made up for a thread, as they would end the process or more. */
#ifndef BASE_PROCESS_FORBIDDEN_H
#define BASE_PROCESS_FORBIDDEN_H

#include "base/buf.h"

#include <stdbool.h>
#include <sys/types.h>

/* Why no call may be made up for it, as the end of a sentence: a filter looks at its calls, or what
   it makes is in another namespace. NULL: none forbids it. */
const char *forbidden_thread(pid_t id);
/* Is there such a thread in the process? *why is filled then. It need not be stopped. */
bool forbidden_process(pid_t pid, struct buf *why);

#endif
