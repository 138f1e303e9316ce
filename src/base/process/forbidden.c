#include "forbidden.h"

#include "limits.h"
#include "state.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	TASKS_SPARED = 32, /* what the runtime may want while there is a fork */
	KEPT_KB = 64,
};
static const double LEAST_PROCESSORS = 0.1;

/* Returns true if children of the thread belong to another pid namespace: the end of the first
   process in a namespace kills all others in it. */
static bool makes_outside(pid_t id)
{
	char path[64], own[64], next[64];
	snprintf(path, sizeof path, "/proc/%d/ns/pid", (int)id);
	ssize_t one = readlink(path, own, sizeof own);
	snprintf(path, sizeof path, "/proc/%d/ns/pid_for_children", (int)id);
	ssize_t other = readlink(path, next, sizeof next);
	return one > 0 && other > 0 && (one != other || memcmp(own, next, (size_t)one) != 0);
}

const char *forbidden_thread(pid_t id)
{
	if (process_state_of(id).seccomp)
		return "a seccomp filter may end it for that";
	return makes_outside(id) ? "processes that it makes begin a namespace of their own" : NULL;
}

/* Reads what the kernel says of all memory. A fork does not get what is marked by madvise() as kept
   from it ("dc") or emptied in it ("wf"); random numbers of the C library ("dp") do not matter, nor
   do single pages, by which libraries find out that they are in a fork. Whoever holds a userfaultfd
   ("um", "uw", "ui") may have asked to be told of forks, and the call does not return before. */
static const char *forbidden_memory(pid_t pid)
{
	char path[64], line[512];
	const char *found = NULL;
	unsigned long resident = 0;
	snprintf(path, sizeof path, "/proc/%d/smaps", (int)pid);
	FILE *file = fopen(path, "re");
	while (file && !found && fgets(line, sizeof line, file)) {
		sscanf(line, "Rss: %lu kB", &resident);
		if (strncmp(line, "VmFlags:", 8) != 0)
			continue;
		bool kept = strstr(line, " dc") || strstr(line, " wf");
		if (strstr(line, " um") || strstr(line, " uw") || strstr(line, " ui"))
			found = "it has a userfaultfd, which a fork may wait for";
		else if (kept && !strstr(line, " sh") && !strstr(line, " dp") && resident > KEPT_KB)
			found = "it keeps memory from forks (madvise), which the copy would lack";
	}
	if (file)
		fclose(file);
	return found;
}

/* Returns true if the thread waits for any child, of every kind: it would take the end of the
   fork. */
static bool forbidden_waits(pid_t id)
{
	long number = -1;
	unsigned long of = 0, which = 0, third = 0, options = 0;
	char path[64];
	snprintf(path, sizeof path, "/proc/%d/syscall", (int)id);
	FILE *file = fopen(path, "re");
	int read = file ? fscanf(file, "%ld %lx %lx %lx %lx", &number, &of, &which, &third, &options)
	                : 0;
	if (file)
		fclose(file);
	if (read < 5)
		return false;
	if (number == SYS_wait4)
		return (int)of <= 0 && third & (__WALL | (unsigned)__WCLONE);
	return number == SYS_waitid && of != P_PID && options & (__WALL | (unsigned)__WCLONE);
}

static const char *forbidden_any_thread(pid_t pid)
{
	char path[64];
	const char *found = NULL;
	snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
	DIR *tasks = opendir(path);
	for (struct dirent *entry; tasks && !found && (entry = readdir(tasks));) {
		pid_t id = (pid_t)strtol(entry->d_name, NULL, 10);
		found = id > 0 ? forbidden_thread(id) : NULL;
		if (id > 0 && !found && forbidden_waits(id))
			found = "it waits for any child (__WALL), and would take the fork for one";
	}
	if (tasks)
		closedir(tasks);
	return found;
}

bool forbidden_process(pid_t pid, struct buf *why)
{
	const char *found = forbidden_any_thread(pid);
	double processors = limits_processors(pid);
	if (!found && limits_frozen(pid, false))
		found = "its control group is frozen";
	if (!found)
		found = forbidden_memory(pid);
	if (!found && processors > 0 && processors < LEAST_PROCESSORS)
		found = "its control group is given too little processor time";
	uint64_t left = found ? UINT64_MAX : limits_tasks_left(pid);
	if (found)
		buf_add(why, found);
	else if (left < TASKS_SPARED)
		buf_addf(why, "it may have only %" PRIu64 " more threads and processes", left);
	return why->len;
}
