#include "stop.h"

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

enum { ROUNDS = 1000, MOST_THREADS = 1 << 20 };

/* The kernel's word for a stop that is no signal's. */
#define EVENT_OF(status) ((status) >> 16)

static bool is_stopped(const struct stopped *stopped, pid_t id)
{
	for (size_t i = 0; i < stopped->count; i++)
		if (stopped->thread[i].id == id)
			return true;
	return false;
}

static void read_registers(struct stopped_thread *thread)
{
	struct iovec room = {thread->registers, sizeof thread->registers};
	if (ptrace(PTRACE_GETREGSET, thread->id, (void *)(uintptr_t)NT_PRSTATUS, &room) == 0)
		thread->register_count = room.iov_len / sizeof *thread->registers;
}

/* False: the thread has ended meanwhile, or *err is set. */
static bool stop_thread(struct stopped *stopped, pid_t id, struct err *err)
{
	int status;
	if (ptrace(PTRACE_SEIZE, id, NULL, NULL) != 0) {
		if (errno == ESRCH)
			return false;
		if (errno == EPERM)
			return process_denied_here(id, err);
		return err_set(err, "Process %d cannot be stopped: %s", (int)id, strerror(errno));
	}
	if (ptrace(PTRACE_INTERRUPT, id, NULL, NULL) != 0)
		return false;
	while (waitpid(id, &status, __WALL) < 0)
		if (errno != EINTR)
			return false;
	if (!WIFSTOPPED(status))
		return false;
	stopped->thread =
		mem_grow(stopped->thread, stopped->count, &stopped->capacity, sizeof *stopped->thread);
	struct stopped_thread *thread = &stopped->thread[stopped->count++];
	*thread = (struct stopped_thread){.id = id};
	if (EVENT_OF(status) != PTRACE_EVENT_STOP)
		thread->signal = WSTOPSIG(status);
	thread->at_rest = status >> 8 == (SIGTRAP | PTRACE_EVENT_STOP << 8);
	read_registers(thread);
	return true;
}

/* The number of threads that were not stopped before; -1: *err. */
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

bool stop_process(struct stopped *stopped, pid_t pid, struct err *err)
{
	*stopped = (struct stopped){0};
	clock_gettime(CLOCK_MONOTONIC, &stopped->since);
	int found = 1;
	for (int round = 0; found > 0 && round < ROUNDS; round++)
		found = stop_new_threads(stopped, pid, err);
	if (found == 0 && stopped->count)
		return true;
	if (found >= 0)
		err_set(err, "Process %d has ended, or makes threads faster than they can be stopped",
		        (int)pid);
	let_go(stopped);
	return false;
}

uint64_t let_go(struct stopped *stopped)
{
	struct timespec now;
	for (size_t i = 0; i < stopped->count; i++)
		ptrace(PTRACE_DETACH, stopped->thread[i].id, NULL,
		       (void *)(intptr_t)stopped->thread[i].signal);
	clock_gettime(CLOCK_MONOTONIC, &now);
	free(stopped->thread);
	stopped->thread = NULL;
	stopped->count = 0;
	return (uint64_t)(now.tv_sec - stopped->since.tv_sec) * 1000000000 + (uint64_t)now.tv_nsec
	       - (uint64_t)stopped->since.tv_nsec;
}
