/* System calls that a process makes because we want it to. On amd64. */
#ifndef BASE_PROCESS_INJECT_H
#define BASE_PROCESS_INJECT_H

#include "regions.h"
#include "stop.h"

/* A copy of a process that never runs: it stays stopped, and dies with this program. */
struct forked {
	pid_t pid;
	pid_t seen; /* its number as the process itself sees it, which may be in a container */
};

/* The address of code that ends a process; 0: none is found. The process need not be stopped. */
uint64_t inject_find_exit(pid_t pid, const struct regions *regions);

/* Makes a process that is stopped fork. All its threads are what they were afterwards. False: it
   cannot be done now, *why says why, as the end of a sentence. */
bool inject_fork(struct stopped *stopped, uint64_t exit_code, struct forked *forked,
                 const char **why);

/* Ends the copy, and makes the process that runs take its exit status, so that nothing is left.
   False: something is, a zombie. */
bool inject_end(pid_t pid, const struct forked *forked);
/* The second half of that, of a copy that has ended. */
bool inject_reap(pid_t pid, const struct forked *forked);
/* The process takes the exit status of copies that were left behind, as zombies, when all that
   looked after them was killed. */
void inject_reap_left(pid_t pid);

#endif
