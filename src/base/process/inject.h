/* System calls that a process makes because we want it to. On amd64. */
#ifndef BASE_PROCESS_INJECT_H
#define BASE_PROCESS_INJECT_H

#include "stop.h"

#include "base/buf.h"

/* A copy of a process that never runs: it stays stopped, and dies with this program. */
struct forked {
	pid_t pid;
	pid_t seen; /* its number as the process itself sees it, which may be in a container */
	/* While a thread makes the call: the thread and the registers that it gets back; else 0. */
	pid_t thread;
	uint64_t registers[STOPPED_REGISTERS];
};

enum injected { INJECT_DONE, INJECT_LATER, INJECT_NEVER };

/* Makes a process that is stopped fork. All its threads are what they were afterwards. *why is
   filled where it cannot be done now, or never. */
enum injected inject_fork(struct stopped *stopped, uint64_t exit_code, struct forked *forked,
                          struct buf *why);

/* Ends the copy, and makes the process that runs take its exit status, so that nothing is left.
   False: something is, a zombie. */
bool inject_end(pid_t pid, const struct forked *forked);
/* After the process that called inject_fork has died, where forked->thread is not 0: a thread that
   has not made the call yet gets its registers back, and never makes it. */
void inject_forget(const struct forked *forked);
/* The process takes the exit status of copies that nobody looks after any more. `wait`: also of
   those that are about to end. */
void inject_reap_left(pid_t pid, bool wait);

#endif
