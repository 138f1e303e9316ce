/* System calls injected into a process. amd64 only. */
#pragma once

#include "stop.h"

#include "base/buf.h"

/* A fork of a process that never runs: it stays stopped, and dies with this program. */
struct forked {
	pid_t pid;
	pid_t seen; /* its pid in the namespace of the process, for example in a container */
	/* While a thread executes the call: the thread, and its original registers. Otherwise 0. */
	pid_t thread;
	uint64_t registers[STOPPED_REGISTERS];
};

enum injected { INJECT_DONE, INJECT_LATER, INJECT_NEVER, INJECT_STUCK };

/* Makes a stopped process fork. Afterwards all its threads are in their previous state. If the fork
   failed, *why says why, and the result whether a retry can help. INJECT_STUCK: forked->thread is
   still in the call; the keeper must end at once, and what inject_forget says is to be done. */
enum injected inject_fork(struct stopped *stopped, uint64_t exit_code, struct forked *forked,
                          struct buf *why);

/* Kills the fork, and makes the running process reap it. Returns false if a zombie is left. */
bool inject_end(pid_t pid, const struct forked *forked);
/* To be called after the process that called inject_fork has died with forked->thread not 0: if the
   thread has not made the call yet, restores its registers, so that it never does. */
void inject_forget(const struct forked *forked);
/* Makes the process reap forks left by earlier runs. `wait`: also those that are about to end. */
void inject_reap_left(pid_t pid, bool wait);
