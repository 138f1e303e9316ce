/* What the kernel tells of a process. */
#ifndef BASE_PROCESS_STATE_H
#define BASE_PROCESS_STATE_H

#include "base/process.h"

struct process_state {
	char name[64];
	char letter;  /* 'R', 'S', 'T', 'Z' ...; 0: there is no such process */
	pid_t group;  /* the process whose thread it is: itself */
	pid_t tracer; /* 0: none */
	pid_t inner;  /* its own number as it sees it, which may be in a container */
	unsigned user;
	int seccomp;     /* 0: none of its calls is filtered */
	bool has_memory; /* kernel threads and zombies have none */
};

struct process_state process_state_of(pid_t pid);
/* The signal that a process sends to its parent when it ends; 0: none, or there is no process. */
int process_end_signal(pid_t pid);

/* Why the kernel does not let us look: sets *err, returns false. `ours` is the user that asks,
   `scope` what kernel.yama.ptrace_scope says, -1: it has none. */
bool process_denied(const struct process_state *state, pid_t pid, unsigned ours, int scope,
                    struct err *err);

#endif
