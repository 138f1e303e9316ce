/* Work beside whoever waits for it: the only thing in the program that starts a thread. A task
   reads what is immutable meanwhile; what it writes is its own until it has ended: then task_wait()
   or task_end() hands it over, and no lock is needed. */
#ifndef BASE_TASK_H
#define BASE_TASK_H

#include "base/err.h"
#include "base/progress.h"

/* What ends the sleep of a loop: a pipe. */
struct wake {
	int ends[2];
};
bool wake_open(struct wake *wake, struct err *err);
void wake_close(struct wake *wake);       /* no task that has it may be left */
int wake_fd(const struct wake *wake);     /* can be read once wake_up() was called */
void wake_up(const struct wake *wake);    /* from any thread; NULL does nothing */
void wake_drain(const struct wake *wake); /* it has been noticed */

struct task;

enum { TASK_FOREVER = -1 };

/* Nanoseconds of processor time that this thread has taken, with the tasks that it has ended. */
uint64_t task_cpu(void);

/* Runs work(self, progress) in a thread; `wake` (may be NULL) tells of its end. */
struct task *task_start(void (*work)(void *self, struct progress *progress), void *self,
                        const struct wake *wake);
/* Waits for so many milliseconds, or TASK_FOREVER. True: it has ended. */
bool task_wait(struct task *task, int milliseconds);
void task_cancel(struct task *task); /* it should stop; it ends when it has noticed */
/* Cancels it if it still runs, waits for its end, and frees it. NULL: nothing. */
void task_end(struct task *task);
/* How far it is; lives as long as the task. */
const struct progress *task_progress(const struct task *task);

#endif
