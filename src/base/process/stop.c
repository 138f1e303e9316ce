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
	STUCK_MS = 20000,     /* something outside this program must block it then */
	BETWEEN_NS = 3000000, /* lets the process run a little before it is stopped again */
};
#define STOP_NS UINT64_C(5000000000)

/* The ptrace event of a wait status; 0 if a signal stopped the thread. */
#define EVENT_OF(status) ((status) >> 16)

static bool is_stopped(const struct stopped *stopped, pid_t id)
{
	for (size_t i = 0; i < stopped->count; i++)
		if (stopped->thread[i].id == id)
			return true;
	return false;
}

/* Returns true if this program traces the thread now. Returns false if it has ended, or with *err
   set. exec() gives the id of the first thread to another thread, so what was read about an id may
   be outdated. */
static bool seize(pid_t id, struct err *err)
{
	for (int tries = 1;; tries++) {
		if (ptrace(PTRACE_SEIZE, id, NULL, NULL) == 0)
			return true;
		int number = errno;
		struct process_state state = process_state_of(id);
		if (number == ESRCH || !state.letter || state.letter == 'Z' || state.letter == 'X')
			return false;
		if (state.tracer == getpid())
			return true;
		if (number != EPERM)
			return err_set(err, "Process %d cannot be stopped: %s", (int)id, strerror(number));
		if (tries == SEIZE_TRIES || state.tracer)
			return process_denied_here(id, err);
	}
}

/* Returns false if the thread has ended, or with *err set. */
static bool stop_thread(struct stopped *stopped, pid_t id, struct err *err)
{
	int status;
	if (!seize(id, err) || ptrace(PTRACE_INTERRUPT, id, NULL, NULL) != 0 || !watch_wait(id, &status)
	    || !WIFSTOPPED(status))
		return false;
	stopped->thread =
		mem_grow(stopped->thread, stopped->count, &stopped->capacity, sizeof *stopped->thread);
	struct stopped_thread *thread = &stopped->thread[stopped->count++];
	*thread = (struct stopped_thread){.id = id};
	if (EVENT_OF(status) != PTRACE_EVENT_STOP)
		thread->signal = WSTOPSIG(status);
	thread->at_rest = status >> 8 == (SIGTRAP | PTRACE_EVENT_STOP << 8);
	struct iovec room = {thread->registers, sizeof thread->registers};
	if (ptrace(PTRACE_GETREGSET, thread->id, (void *)(uintptr_t)NT_PRSTATUS, &room) == 0)
		thread->register_count = room.iov_len / sizeof *thread->registers;
	return true;
}

/* Stops threads that are not stopped yet. Returns their number, or -1 with *err. */
static int stop_new_threads(struct stopped *stopped, pid_t pid, struct err *err)
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
		if (id > 0 && !is_stopped(stopped, id) && stopped->count < MOST_THREADS)
			found += stop_thread(stopped, id, err);
		if (err->set)
			break;
	}
	closedir(tasks);
	return err->set ? -1 : found;
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

/* Makes one attempt. Returns false if another one is needed, or with *err set. */
static bool stop_all(struct stopped *stopped, pid_t pid, struct err *err)
{
	int found = 1;
	*stopped = (struct stopped){0};
	stopped->since = clock_now();
	while (found > 0 && clock_now() - stopped->since < STOP_NS)
		found = stop_new_threads(stopped, pid, err);
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
		    || ptrace(PTRACE_INTERRUPT, id, NULL, NULL) != 0 || !watch_wait(id, &status)
		    || !WIFSTOPPED(status))
			continue;
		int signal = EVENT_OF(status) ? 0 : WSTOPSIG(status);
		ptrace(PTRACE_DETACH, id, NULL, (void *)(intptr_t)signal);
	}
	if (tasks)
		closedir(tasks);
}

bool stop_process(struct stopped *stopped, pid_t pid, struct err *err)
{
	const struct timespec between = {0, BETWEEN_NS};
	uint64_t since = clock_now();
	for (;;) {
		watch_allow(STUCK_MS);
		if (stop_all(stopped, pid, err)) {
			stopped->pid = pid;
			return true;
		}
		stopped->pid = pid;
		let_go(stopped);
		if (err->set || !process_check(pid, err))
			return false;
		if (clock_now() - since > STOP_NS)
			return err_set(err,
			               "Process %d cannot be stopped as a whole: it makes threads or becomes "
			               "another program (exec) again and again. It goes on: try again",
			               (int)pid);
		nanosleep(&between, NULL);
	}
}

uint64_t let_go(struct stopped *stopped)
{
	watch_allow(STUCK_MS);
	for (size_t i = 0; i < stopped->count; i++)
		ptrace(PTRACE_DETACH, stopped->thread[i].id, NULL,
		       (void *)(intptr_t)stopped->thread[i].signal);
	uint64_t pause = clock_now() - stopped->since;
	let_go_left(stopped->pid);
	watch_allow(0);
	free(stopped->thread);
	stopped->thread = NULL;
	stopped->count = 0;
	return pause;
}
