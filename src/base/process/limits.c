#include "limits.h"

#include "state.h"

#include "base/control_group.h"

#include <ctype.h>
#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Control groups */

static void limits_add_freezer(void *self, const char *folder, bool two)
{
	bool *frozen = self;
	*frozen |= two ? control_group_says(folder, "cgroup.freeze", "1")
	               : control_group_says(folder, "freezer.state", "FR");
}

static void limits_add_first_freezer(void *self, const char *folder, bool two)
{
	if (!two)
		limits_add_freezer(self, folder, two);
}

bool limits_frozen(pid_t pid, bool first)
{
	bool frozen = false;
	control_groups_of(pid, "freezer", first ? limits_add_first_freezer : limits_add_freezer,
	                  &frozen);
	return frozen;
}

/* Version 1 has two files, version 2 has both numbers in one line. */
static void limits_add_quota(void *self, const char *folder, bool two)
{
	double *least = self;
	uint64_t quota = 0, period = 0;
	char line[64] = "";
	if (two)
		control_group_line(folder, "cpu.max", line, sizeof line);
	else if (control_group_says(folder, "cpu.cfs_quota_us", "-")
	         || !control_group_number(folder, "cpu.cfs_quota_us", "", &quota)
	         || !control_group_number(folder, "cpu.cfs_period_us", "", &period))
		return;
	if (two && sscanf(line, "%" SCNu64 " %" SCNu64, &quota, &period) != 2)
		return;
	double share = period ? (double)quota / (double)period : 0;
	if (share > 0 && (*least == 0 || share < *least))
		*least = share;
}

double limits_processors(pid_t pid)
{
	double least = 0;
	control_groups_of(pid, "cpu", limits_add_quota, &least);
	return least;
}

/* ---- Tasks */

static void limits_take(uint64_t *left, uint64_t most, uint64_t used)
{
	uint64_t now = most > used ? most - used : 0;
	*left = now < *left ? now : *left;
}

static void limits_add_tasks(void *self, const char *folder, bool two)
{
	uint64_t most, used;
	(void)two;
	if (control_group_number(folder, "pids.max", "", &most)
	    && control_group_number(folder, "pids.current", "", &used))
		limits_take(self, most, used);
}

/* Reads the number of a line "NAME  123 ..." of a file; UINT64_MAX: there is none. */
static uint64_t limits_number(const char *path, const char *name)
{
	char line[256];
	uint64_t number = UINT64_MAX;
	FILE *file = fopen(path, "re");
	while (file && fgets(line, sizeof line, file))
		if (strncmp(line, name, strlen(name)) == 0) {
			if (sscanf(line + strlen(name), " %" SCNu64, &number) != 1)
				number = UINT64_MAX;
			break;
		}
	if (file)
		fclose(file);
	return number;
}

/* Returns the number of threads of all processes of a user. */
static uint64_t limits_threads_of(unsigned user)
{
	char path[64];
	uint64_t threads = 0;
	DIR *all = opendir("/proc");
	for (struct dirent *entry; all && (entry = readdir(all));) {
		pid_t pid = isdigit((unsigned char)*entry->d_name) ? (pid_t)strtol(entry->d_name, NULL, 10)
		                                                   : 0;
		if (!pid || process_state_of(pid).user != user)
			continue;
		snprintf(path, sizeof path, "/proc/%d/status", (int)pid);
		uint64_t number = limits_number(path, "Threads:");
		threads += number < UINT64_MAX ? number : 0;
	}
	if (all)
		closedir(all);
	return threads;
}

/* The limit of a user does not hold for root, which is taken as if it did: its processes may have
   fewer rights than it. */
static void limits_add_user(pid_t pid, uint64_t *left)
{
	char path[64];
	snprintf(path, sizeof path, "/proc/%d/limits", (int)pid);
	uint64_t most = limits_number(path, "Max processes");
	if (most < UINT64_MAX)
		limits_take(left, most, limits_threads_of(process_state_of(pid).user));
}

/* The fourth number of /proc/loadavg, "1/234", is how many tasks there are. */
static void limits_add_machine(uint64_t *left)
{
	static const char *const files[] = {"/proc/sys/kernel/threads-max", "/proc/sys/kernel/pid_max"};
	uint64_t used = 0;
	FILE *file = fopen("/proc/loadavg", "re");
	if (file && fscanf(file, "%*s %*s %*s %*[^/]/%" SCNu64, &used) != 1)
		used = 0;
	if (file)
		fclose(file);
	for (size_t i = 0; i < sizeof files / sizeof *files && used; i++) {
		uint64_t most = limits_number(files[i], "");
		if (most < UINT64_MAX)
			limits_take(left, most, used);
	}
}

uint64_t limits_tasks_left(pid_t pid)
{
	uint64_t left = UINT64_MAX;
	control_groups_of(pid, "pids", limits_add_tasks, &left);
	limits_add_user(pid, &left);
	limits_add_machine(&left);
	return left;
}
