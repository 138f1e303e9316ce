#include "stop.h"

#include "state.h"
#include "watch.h"

#include "base/clock.h"
#include "base/mem.h"

#include <dirent.h>
#include <elf.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
	MOST_THREADS = 1 << 20,
	SEIZE_TRIES = 3,
	SEIZE_MS = WATCH_MS + 100, /* the kernel blocks a call of this program itself then */
	WAIT_NS = 100000,
	BETWEEN_NS = 3000000, /* lets the process run a little before it is stopped again */
};
#define TRY_NS UINT64_C(5000000000)

/* The ptrace event of a wait status; 0 if a signal stopped the thread. */
#define EVENT_OF(status) ((status) >> 16)

static bool is_known(const struct stopped *stopped, pid_t id)
{
	uint64_t known = 0;
	return map_get(&stopped->known, (uint64_t)id, &known) && known;
}

static bool time_is_up(const struct stopped *stopped)
{
	return watch_is_hurried() || clock_now() - stopped->since > WATCH_MS * UINT64_C(1000000);
}

/* Returns true if this program traces the thread now. Returns false if it has ended or is a worker
   of the kernel, or with *err set. exec() gives the id of the first thread to another thread, so
   what was read about an id may be outdated. */
static bool seize(pid_t id, struct err *err)
{
	for (int tries = 1;; tries++) {
		if (ptrace(PTRACE_SEIZE, id, NULL, NULL) == 0)
			return true;
		int number = errno;
		struct process_state state = process_state_of(id);
		if (number == ESRCH || !state.letter || state.letter == 'Z' || state.letter == 'X'
		    || process_is_kernel(id))
			return false;
		if (state.tracer == getpid())
			return true;
		if (number != EPERM)
			return err_set(err, "Process %d cannot be stopped: %s", (int)id, strerror(number));
		if (tries == SEIZE_TRIES || state.tracer)
			return process_denied_here(id, err);
	}
}

/* Asks a thread to stop. Returns false if it has ended, or with *err set. */
static bool ask_thread(struct stopped *stopped, pid_t id, pid_t *stuck, struct err *err)
{
	*stuck = id; /* the kernel may not let us go on */
	bool asked = seize(id, err);
	if (asked)
		watch_thread(id);
	asked = asked && ptrace(PTRACE_INTERRUPT, id, NULL, NULL) == 0;
	*stuck = 0;
	if (!asked)
		return false;
	map_put(&stopped->known, (uint64_t)id, 1);
	MEM_PUSH(stopped->thread, stopped->count, stopped->capacity, (struct stopped_thread){.id = id});
	return true;
}

/* Asks threads that are not known yet to stop. Returns their number, or -1 with *err. */
static int ask_new_threads(struct stopped *stopped, pid_t pid, pid_t *stuck, struct err *err)
{
	char path[64];
	int found = 0;
	snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
	DIR *tasks = opendir(path);
	if (!tasks) {
		err_set(err, "There is no process %d any more", (int)pid);
		return -1;
	}
	for (struct dirent *entry; (entry = readdir(tasks));) {
		pid_t id = (pid_t)strtol(entry->d_name, NULL, 10);
		if (id <= 0 || is_known(stopped, id) || stopped->count >= MOST_THREADS)
			continue;
		if (time_is_up(stopped))
			err_set(
				err,
				"Process %d cannot be stopped within a second: it has more than %zu threads. All "
				"threads go on; try again later",
				(int)pid, stopped->count);
		else
			found += ask_thread(stopped, id, stuck, err);
		if (err->set)
			break;
	}
	closedir(tasks);
	return err->set ? -1 : found;
}

static void thread_has_stopped(struct stopped_thread *thread, int status)
{
	struct iovec room = {thread->registers, sizeof thread->registers};
	thread->stands = true;
	if (EVENT_OF(status) != PTRACE_EVENT_STOP)
		thread->signal = WSTOPSIG(status);
	thread->at_rest = status >> 8 == (SIGTRAP | PTRACE_EVENT_STOP << 8);
	if (ptrace(PTRACE_GETREGSET, thread->id, (void *)(uintptr_t)NT_PRSTATUS, &room) == 0)
		thread->register_count = room.iov_len / sizeof *thread->registers;
}

/* Looks which threads have stopped, and forgets those that have ended. Returns one that has done
   neither, or 0. */
static pid_t look_at_threads(struct stopped *stopped)
{
	pid_t running = 0;
	for (size_t i = 0; i < stopped->count; i++) {
		struct stopped_thread *thread = &stopped->thread[i];
		int status;
		pid_t got = thread->stands ? 0 : waitpid(thread->id, &status, WNOHANG | __WALL);
		if (got == thread->id && WIFSTOPPED(status))
			thread_has_stopped(thread, status);
		else if (got) {
			map_put(&stopped->known, (uint64_t)thread->id, 0);
			*thread = stopped->thread[--stopped->count];
			i--;
		} else if (!thread->stands)
			running = thread->id;
	}
	return running;
}

/* Waits until all threads have stopped. Returns false with *stuck if one has not in time. */
static bool wait_for_threads(struct stopped *stopped, pid_t *stuck)
{
	const struct timespec pause = {0, WAIT_NS};
	while ((*stuck = look_at_threads(stopped))) {
		if (time_is_up(stopped))
			return false;
		nanosleep(&pause, NULL);
	}
	return true;
}

/* Returns true if each thread is still stopped. False after SIGKILL, or after exec() has ended
   threads or renumbered one. */
static bool all_stand(const struct stopped *stopped)
{
	for (size_t i = 0; i < stopped->count; i++) {
		unsigned long message;
		int status;
		pid_t id = stopped->thread[i].id;
		if (waitpid(id, &status, WNOHANG | __WALL) != 0
		    || ptrace(PTRACE_GETEVENTMSG, id, NULL, &message) != 0)
			return false;
	}
	return stopped->count;
}

/* Makes one attempt. Returns false if another one is needed, or with *stuck or *err set. */
static bool stop_all(struct stopped *stopped, pid_t pid, pid_t *stuck, struct err *err)
{
	int found = 1;
	*stopped = (struct stopped){.pid = pid, .since = clock_now()};
	watch_allow(SEIZE_MS);
	while (found > 0 && !time_is_up(stopped)) {
		found = ask_new_threads(stopped, pid, stuck, err);
		if (!wait_for_threads(stopped, stuck))
			return false;
	}
	return found == 0 && all_stand(stopped);
}

/* A thread that was no longer stopped was not detached: the next signal would stop it. */
void let_go_left(pid_t pid)
{
	char path[64];
	int status;
	snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
	DIR *tasks = opendir(path);
	for (struct dirent *entry; tasks && (entry = readdir(tasks));) {
		pid_t id = (pid_t)strtol(entry->d_name, NULL, 10);
		if (id <= 0 || process_state_of(id).tracer != getpid()
		    || ptrace(PTRACE_INTERRUPT, id, NULL, NULL) != 0 || !watch_wait(id, &status, WATCH_MS)
		    || !WIFSTOPPED(status))
			continue;
		int signal = EVENT_OF(status) ? 0 : WSTOPSIG(status);
		ptrace(PTRACE_DETACH, id, NULL, (void *)(intptr_t)signal);
	}
	if (tasks)
		closedir(tasks);
}

/* Releases the threads that stand. */
static void let_go_standing(const struct stopped *stopped)
{
	for (size_t i = 0; i < stopped->count; i++)
		if (stopped->thread[i].stands)
			ptrace(PTRACE_DETACH, stopped->thread[i].id, NULL,
			       (void *)(intptr_t)stopped->thread[i].signal);
}

static void forget(struct stopped *stopped)
{
	free(stopped->thread);
	map_free(&stopped->known);
	stopped->thread = NULL;
	stopped->count = 0;
}

bool stop_process(struct stopped *stopped, pid_t pid, pid_t *stuck, struct err *err)
{
	const struct timespec between = {0, BETWEEN_NS};
	uint64_t since = clock_now();
	while (!stop_all(stopped, pid, stuck, err)) {
		if (*stuck) {
			let_go_standing(stopped);
			forget(stopped);
			return false;
		}
		let_go(stopped);
		if (err->set || !process_check(pid, err))
			return false;
		if (watch_is_hurried() || clock_now() - since > TRY_NS)
			return err_set(err,
			               "Process %d cannot be stopped as a whole: it makes threads or becomes "
			               "another program (exec) again and again. It goes on: try again",
			               (int)pid);
		nanosleep(&between, NULL);
	}
	return true;
}

uint64_t let_go(struct stopped *stopped)
{
	watch_allow(WATCH_MS);
	let_go_standing(stopped);
	uint64_t pause = clock_now() - stopped->since;
	let_go_left(stopped->pid);
	watch_allow(0);
	forget(stopped);
	return pause;
}
