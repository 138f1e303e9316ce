#include "ui/tasks.h"

#include "base/mem.h"

#include <stdlib.h>

enum { MOMENT_MS = 40 };

/* Removes a task from the list before `ended` is called, which may use the list. */
static void tasks_end(struct tasks *tasks, struct running_task *running, bool tell)
{
	struct running_task **at = &tasks->running;
	while (*at != running)
		at = &(*at)->next;
	*at = running->next;
	task_end(running->task);
	if (tell)
		running->kind->ended(running->self);
	free(running);
}

void tasks_start(struct tasks *tasks, const struct task_kind *kind, void *self)
{
	if (!tasks->wake) {
		struct progress progress = {.cancel = false};
		kind->work(self, &progress);
		kind->ended(self);
		return;
	}
	struct running_task *running = mem_alloc(sizeof *running);
	*running = (struct running_task){tasks->running, kind, self, NULL, false};
	running->task = task_start(kind->work, self, tasks->wake);
	tasks->running = running;
}

void tasks_begin(struct tasks *tasks, const struct task_kind *kind, void *self)
{
	tasks_start(tasks, kind, self);
	if (tasks->wake && task_wait(tasks->running->task, MOMENT_MS))
		tasks_end(tasks, tasks->running, true);
}

void tasks_begin_beside(struct tasks *tasks, const struct task_kind *kind, void *self)
{
	tasks_start(tasks, kind, self);
	if (tasks->wake)
		tasks->running->beside = true;
}

bool tasks_collect(struct tasks *tasks)
{
	bool any = false;
	struct running_task *running = tasks->running;
	while (running)
		if (task_wait(running->task, 0)) {
			tasks_end(tasks, running, true);
			running = tasks->running; /* `ended` may have begun another task */
			any = true;
		} else {
			running = running->next;
		}
	return any;
}

void tasks_finish(struct tasks *tasks)
{
	while (tasks->running) {
		task_wait(tasks->running->task, TASK_FOREVER);
		tasks_end(tasks, tasks->running, true);
	}
}

void tasks_cancel(struct tasks *tasks)
{
	for (struct running_task *running = tasks->running; running; running = running->next)
		task_cancel(running->task);
}

void tasks_drop(struct tasks *tasks, const void *self)
{
	struct running_task *next;
	for (struct running_task *running = tasks->running; running; running = next) {
		next = running->next;
		if (running->self == self)
			tasks_end(tasks, running, false);
	}
}

const struct progress *tasks_progress(const struct tasks *tasks, const void *self)
{
	for (const struct running_task *running = tasks->running; running; running = running->next)
		if (self ? running->self == self : !running->beside)
			return task_progress(running->task);
	return NULL;
}
