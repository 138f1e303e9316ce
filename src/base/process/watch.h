/* Deadlines, so that nothing blocks forever while a process is held: used in the keeper process. */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

/* What a thread needs at most to stop, or to make a call, before the process is let go. */
enum { WATCH_MS = 1000 };

/* Makes the kernel kill this program, which releases all that it traces, unless this is called
   again within `ms`; 0 removes the deadline. Until then traced threads that end are reaped,
   whatever this program waits for: exec() in the target depends on that. */
void watch_allow(unsigned ms);
/* Notes a thread that this program traces, so that its end is seen beside stops of others. */
void watch_thread(pid_t id);

/* Waits until a traced thread stops or ends, no longer than `ms`. Returns false if it has not, or
   does not exist any more. */
bool watch_wait(pid_t id, int *status, unsigned ms);

/* What is held is let go within moments from now on: nobody waits for it any more. May be called in
   a signal handler. */
void watch_hurry(void);
bool watch_is_hurried(void);
