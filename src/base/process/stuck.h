/* Threads that cannot be stopped, as they wait in the kernel or are not run. */
#pragma once

#include "base/process.h"

/* Returns a thread that has waited in the kernel without a break for as long as is given to threads
   to stop, and does still; 0: there is none. Stops nothing. Ends early when it is cancelled. */
pid_t stuck_thread(pid_t pid, struct progress *progress);
/* Returns true if the thread is not run although it could be, and its control group is allowed a
   part of the processors only. */
bool stuck_throttled(pid_t pid, pid_t thread);
/* Sets *err to which thread could not be stopped, and what it waits for; always returns false. */
bool stuck_tell(pid_t pid, pid_t thread, struct err *err);
/* The same of a process in a frozen control group. */
bool stuck_tell_frozen(pid_t pid, struct err *err);
