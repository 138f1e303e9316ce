/* So that nothing waits for ever that holds a process: for the keeper, in its own process. */
#ifndef BASE_PROCESS_WATCH_H
#define BASE_PROCESS_WATCH_H

#include <sys/types.h>

/* From now on the kernel ends this program, which lets go of all that it traces, unless this is
   called again within so many ms; 0: it does not. Until then the exit status of traced threads is
   taken, whatever else this program waits for: a process that is in exec() waits for that. */
void watch_allow(unsigned ms);

/* Waits for a stop or the end of a thread that is traced. False: there is no such thread any more.
   It has a deadline by watch_allow only. */
_Bool watch_wait(pid_t id, int *status);

#endif
