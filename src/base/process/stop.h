/* Stops a process with ptrace, and releases it. */
#pragma once

#include "base/process.h"

enum { STOPPED_REGISTERS = 34 };

struct stopped_thread {
	pid_t id;
	int signal;   /* pending signal, delivered on release */
	bool at_rest; /* stopped by this program only, not by a signal */
	uint64_t registers[STOPPED_REGISTERS];
	size_t register_count;
};
struct stopped {
	pid_t pid;
	struct stopped_thread *thread;
	size_t count, capacity;
	uint64_t since; /* ns of clock_now */
};

/* Stops all threads, including those created meanwhile. Returns false with *err; no thread stays
   stopped then. The keeper calls it: watch.h ends the keeper if this takes too long. */
bool stop_process(struct stopped *stopped, pid_t pid, struct err *err);
/* Releases the process. Returns the ns that it was stopped. */
uint64_t let_go(struct stopped *stopped);
/* Releases every thread that this program still traces, whatever its state. */
void let_go_left(pid_t pid);
