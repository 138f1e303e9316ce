/* Stops a process with ptrace, and releases it. */
#pragma once

#include "base/map.h"
#include "base/process.h"

enum { STOPPED_REGISTERS = 34 };

struct stopped_thread {
	pid_t id;
	int signal;   /* pending signal, delivered on release */
	bool stands;  /* it is stopped */
	bool at_rest; /* stopped by this program only, not by a signal */
	uint64_t registers[STOPPED_REGISTERS];
	size_t register_count;
};
struct stopped {
	pid_t pid;
	struct stopped_thread *thread;
	size_t count, capacity;
	struct map known; /* by id: 1, or 0 if it has ended */
	uint64_t since;   /* ns of clock_now */
};

/* Stops all threads, including those created meanwhile, within WATCH_MS. Returns false with *err;
   no thread stays stopped then. Also returns false with *stuck, a thread that did not stop in time;
   it is traced until the keeper ends, which must be at once. *stuck is in memory that outlives the
   keeper: watch.h ends it where the kernel lets it not go on. */
bool stop_process(struct stopped *stopped, pid_t pid, pid_t *stuck, struct err *err);
/* Releases the process. Returns the ns that it was stopped. */
uint64_t let_go(struct stopped *stopped);
/* Releases every thread that this program still traces, whatever its state. */
void let_go_left(pid_t pid);
