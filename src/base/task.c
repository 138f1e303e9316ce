#include "base/task.h"

#include "base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

bool wake_open(struct wake *wake, struct err *err)
{
	if (pipe(wake->ends) != 0)
		return err_set(err, "No pipe can be opened: %s", strerror(errno));
	for (int i = 0; i < 2; i++) {
		fcntl(wake->ends[i], F_SETFL, O_NONBLOCK);
		fcntl(wake->ends[i], F_SETFD, FD_CLOEXEC);
	}
	return true;
}

void wake_close(struct wake *wake)
{
	close(wake->ends[0]);
	close(wake->ends[1]);
}

int wake_fd(const struct wake *wake)
{
	return wake->ends[0];
}

void wake_up(const struct wake *wake)
{
	ssize_t wrote = wake ? write(wake->ends[1], "", 1) : 0;
	(void)wrote; /* a full pipe wakes up as well */
}

void wake_drain(const struct wake *wake)
{
	char bytes[64];
	while (read(wake->ends[0], bytes, sizeof bytes) > 0)
		;
}

static _Thread_local uint64_t task_cpu_of_ended;

uint64_t task_cpu(void)
{
	struct timespec t;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return task_cpu_of_ended + (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

struct task {
	void (*work)(void *self, struct progress *progress);
	void *self;
	struct progress progress;
	pthread_t thread;
	bool threaded;
	uint64_t cpu; /* processor time of the thread, set at its end */
	pthread_mutex_t lock;
	pthread_cond_t changed;
	const struct wake *wake; /* protected by lock, like `ended` */
	bool ended;
};

static void *task_run(void *self)
{
	struct task *task = self;
	task->work(task->self, &task->progress);
	task->cpu = task_cpu();
	pthread_mutex_lock(&task->lock);
	task->ended = true;
	const struct wake *wake = task->wake;
	pthread_cond_broadcast(&task->changed);
	pthread_mutex_unlock(&task->lock);
	wake_up(wake);
	return NULL;
}

struct task *task_start(void (*work)(void *self, struct progress *progress), void *self,
                        const struct wake *wake)
{
	struct task *task = mem_alloc(sizeof *task);
	task->work = work;
	task->self = self;
	task->wake = wake;
	pthread_mutex_init(&task->lock, NULL);
	pthread_cond_init(&task->changed, NULL);
	task->threaded = pthread_create(&task->thread, NULL, task_run, task) == 0;
	if (!task->threaded)
		task_run(task); /* no thread available: run the work here, only slower */
	return task;
}

static struct timespec time_after(int milliseconds)
{
	struct timespec time;
	clock_gettime(CLOCK_REALTIME, &time);
	time.tv_sec += milliseconds / 1000;
	time.tv_nsec += milliseconds % 1000 * 1000000L;
	if (time.tv_nsec >= 1000000000L) {
		time.tv_sec++;
		time.tv_nsec -= 1000000000L;
	}
	return time;
}

bool task_wait(struct task *task, int milliseconds)
{
	struct timespec end = time_after(milliseconds);
	int failed = 0;
	pthread_mutex_lock(&task->lock);
	while (!task->ended && !failed)
		failed = milliseconds == TASK_FOREVER
		             ? pthread_cond_wait(&task->changed, &task->lock)
		             : pthread_cond_timedwait(&task->changed, &task->lock, &end);
	bool ended = task->ended;
	pthread_mutex_unlock(&task->lock);
	return ended;
}

void task_cancel(struct task *task)
{
	atomic_store(&task->progress.cancel, true);
}

void task_end(struct task *task)
{
	if (!task)
		return;
	pthread_mutex_lock(&task->lock);
	task->wake = NULL; /* nobody needs the wakeup: this function waits */
	pthread_mutex_unlock(&task->lock);
	task_cancel(task);
	if (task->threaded) {
		pthread_join(task->thread, NULL);
		task_cpu_of_ended += task->cpu;
	}
	pthread_cond_destroy(&task->changed);
	pthread_mutex_destroy(&task->lock);
	free(task);
}

const struct progress *task_progress(const struct task *task)
{
	return &task->progress;
}
