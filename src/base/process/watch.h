/* Deadlines, so that nothing blocks forever while a process is held: used in the keeper process. */
#pragma once

#include <sys/types.h>

/* Makes the kernel kill this program, which releases all that it traces, unless this is called
   again within `ms`; 0 removes the deadline. Until then traced threads that end are reaped,
   whatever this program waits for: exec() in the target depends on that. */
void watch_allow(unsigned ms);

/* Waits until a traced thread stops or ends. Returns false if the thread does not exist any more.
   Its only deadline is that of watch_allow. */
_Bool watch_wait(pid_t id, int *status);
