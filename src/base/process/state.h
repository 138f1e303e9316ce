/* Process states from /proc. */
#pragma once

#include "base/process.h"

struct process_state {
	char name[64];
	char letter;  /* 'R', 'S', 'T', 'Z' ...; 0: no such process */
	pid_t group;  /* thread group: the pid itself, unless it is a thread of another process */
	pid_t tracer; /* pid of the tracer; 0: none */
	pid_t inner;  /* its pid in its own namespace, for example in a container */
	unsigned user;
	int seccomp;     /* 0: no seccomp filter */
	bool has_memory; /* false for threads of the kernel, and for processes that end or have ended */
};

struct process_state process_state_of(pid_t pid);
/* Returns true for a thread of the kernel: one of its own, or a worker that it has made in a
   process, as for io_uring. Nobody can stop either. */
bool process_is_kernel(pid_t pid);
/* Returns the signal that the process sends to its parent when it ends; 0: none, or no such
   process. */
int process_end_signal(pid_t pid);
/* Returns the parent; 0: no such process. */
pid_t process_parent(pid_t pid);

/* Sets *err to the reason why the kernel denies access; always returns false. `ours` is the user
   who asks, `scope` the value of kernel.yama.ptrace_scope, or -1 if there is none. */
bool process_denied(const struct process_state *state, pid_t pid, unsigned ours, int scope,
                    struct err *err);
