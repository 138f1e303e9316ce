/* Background tasks of the explorer and its views. Each works in a thread of its own; all functions
   here are for the main loop's thread only. */
#pragma once

#include "base/task.h"

struct task_kind {
	/* Runs in a thread. It owns what it writes until `ended`; what it reads must not change. */
	void (*work)(void *self, struct progress *progress);
	/* Runs in the main loop afterwards, and takes the result; without a result, the task was
	   cancelled. */
	void (*ended)(void *self);
};

/* Initialized by `struct tasks tasks = {wake}`. */
struct tasks {
	const struct wake *wake; /* NULL: tasks run at once, in the calling thread */
	struct running_task {
		struct running_task *next;
		const struct task_kind *kind;
		void *self;
		struct task *task;
		bool beside;
	} * running; /* the latest first */
};

/* Begins a task, and waits a moment for it, so that a short task does not flash a picture of
   progress and a key typed ahead reaches the right view. If it ends in time, `ended` has been
   called on return. */
void tasks_begin(struct tasks *tasks, const struct task_kind *kind, void *self);
/* Begins a task that is known to take long, without waiting. */
void tasks_start(struct tasks *tasks, const struct task_kind *kind, void *self);
/* Begins a task that nobody waits for, and whose progress is not told. */
void tasks_begin_beside(struct tasks *tasks, const struct task_kind *kind, void *self);
/* Calls `ended` for finished tasks. True: there were some. */
bool tasks_collect(struct tasks *tasks);
/* Waits until all tasks have ended, and collects them. */
void tasks_finish(struct tasks *tasks);
/* Cancels all tasks; they end soon. */
void tasks_cancel(struct tasks *tasks);
/* Cancels the tasks of an owner, and waits for them without calling `ended`. */
void tasks_drop(struct tasks *tasks, const void *self);
/* Returns the progress of the latest task of an owner (NULL: of any that somebody waits
   for); NULL: there is none. */
const struct progress *tasks_progress(const struct tasks *tasks, const void *self);
