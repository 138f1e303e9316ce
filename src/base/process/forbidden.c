#include "forbidden.h"

#include "state.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

bool forbidden_process(pid_t pid, struct buf *why)
{
	char path[64];
	const char *found = NULL;
	snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
	DIR *tasks = opendir(path);
	for (struct dirent *entry; tasks && !found && (entry = readdir(tasks));) {
		pid_t id = (pid_t)strtol(entry->d_name, NULL, 10);
		found = id > 0 ? forbidden_thread(id) : NULL;
	}
	if (tasks)
		closedir(tasks);
	if (found)
		buf_add(why, found);
	return found;
}
