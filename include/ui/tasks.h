/* What goes on beside the screen: the tasks that the explorer and its views have begun. Their work
   is done in threads, one a task; all else here is for the loop's thread only. */
#ifndef UI_TASKS_H
#define UI_TASKS_H

#include "base/task.h"

struct task_kind {
	/* In a thread: what it writes is its own until `ended`, what it reads must not change. */
	void (*work)(void *self, struct progress *progress);
	/* Then in the loop: takes what was found. It has been cancelled where nothing was. */
	void (*ended)(void *self);
};

/* `struct tasks tasks = {wake}` has none. */
struct tasks {
	const struct wake *wake; /* NULL: nobody waits, all work is done at once, in this thread */
	struct running_task {
		struct running_task *next;
		const struct task_kind *kind;
		void *self;
		struct task *task;
	} * running; /* the latest first */
};

/* Begins a task. What takes no longer than a moment is waited for, so that no picture of the wait
   flashes up and a key typed ahead finds what it was meant for: `ended` has been called then. */
void tasks_begin(struct tasks *tasks, const struct task_kind *kind, void *self);
/* The same for what is known to take long: nothing is waited for. */
void tasks_start(struct tasks *tasks, const struct task_kind *kind, void *self);
/* Calls `ended` of those that have. True: there were some. */
bool tasks_collect(struct tasks *tasks);
/* Waits until all have ended, and collects them. */
void tasks_finish(struct tasks *tasks);
/* Asks all to stop; they end soon. */
void tasks_cancel(struct tasks *tasks);
/* The owner goes, or wants something else: ends its tasks without a word. */
void tasks_drop(struct tasks *tasks, const void *self);
/* Of the latest task, or of the owner's; NULL: there is none. */
const struct progress *tasks_progress(const struct tasks *tasks, const void *self);

#endif
