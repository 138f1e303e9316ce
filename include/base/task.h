/* Background tasks: the only place of the program that starts threads. A task reads immutable data;
   what it writes belongs to it until it has ended. task_wait() or task_end() then hands the results
   over, so that no lock is needed. */
#pragma once

#include "base/err.h"
#include "base/progress.h"

/* A pipe that wakes up a poll loop. */
struct wake {
	int ends[2];
};
bool wake_open(struct wake *wake, struct err *err);
void wake_close(struct wake *wake);       /* no task that uses it may be left */
int wake_fd(const struct wake *wake);     /* readable after wake_up() */
void wake_up(const struct wake *wake);    /* from any thread; NULL does nothing */
void wake_drain(const struct wake *wake); /* discards the wakeups received so far */

struct task;

enum { TASK_FOREVER = -1 };

/* Returns the processor time of this thread in nanoseconds, with that of tasks that it has
   ended. */
uint64_t task_cpu(void);

/* Runs work(self, progress) in a thread; signals `wake` (may be NULL) at its end. */
struct task *task_start(void (*work)(void *self, struct progress *progress), void *self,
                        const struct wake *wake);
/* Waits at most so many milliseconds, or TASK_FOREVER. Returns true if the task has ended. */
bool task_wait(struct task *task, int milliseconds);
void task_cancel(struct task *task); /* requests cancellation; the task ends when it notices */
/* Cancels the task if it still runs, waits for its end, and frees it. NULL does nothing. */
void task_end(struct task *task);
/* Returns the progress of the task, valid as long as the task. */
const struct progress *task_progress(const struct task *task);
