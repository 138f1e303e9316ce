/* Stopping a process by ptrace, and letting it go. */
#ifndef BASE_PROCESS_STOP_H
#define BASE_PROCESS_STOP_H

#include "base/process.h"

#include <time.h>

enum { STOPPED_REGISTERS = 34 };

struct stopped_thread {
	pid_t id;
	int signal;   /* that was about to be delivered: it is handed on */
	bool at_rest; /* by us alone, not by a signal */
	uint64_t registers[STOPPED_REGISTERS];
	size_t register_count;
};
struct stopped {
	pid_t pid;
	struct stopped_thread *thread;
	size_t count, capacity;
	struct timespec since;
};

/* All threads, those that are made meanwhile, too. False: *err, and none is stopped any more. It is
   the keeper that stops: watch.h ends it where this takes too long. */
bool stop_process(struct stopped *stopped, pid_t pid, struct err *err);
/* Returns the ns that it was stopped. */
uint64_t let_go(struct stopped *stopped);
/* Lets each thread go that this program traces still, whatever it does. */
void let_go_left(pid_t pid);

#endif
