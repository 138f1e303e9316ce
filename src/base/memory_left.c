#include "base/memory_left.h"

#include "base/control_group.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

/* Version 1 gives a group without a limit the largest number of whole pages. */
static const uint64_t UNLIMITED = UINT64_C(1) << 60;

/* The files of a control group, by the version of control groups. */
static const struct memory_files {
	const char *limit, *used;
	const char *sums; /* start of the names in memory.stat: the sums of a whole subtree */
} memory_files[] = {
	{"memory.limit_in_bytes", "memory.usage_in_bytes", "total_"},
	{"memory.max", "memory.current", ""},
};

uint64_t memory_left_line(const char *path, const char *name)
{
	char line[256];
	uint64_t kilobytes = UINT64_MAX / 1024;
	FILE *file = fopen(path, "re");
	while (file && fgets(line, sizeof line, file))
		if (strncmp(line, name, strlen(name)) == 0
		    && sscanf(line + strlen(name), ": %" SCNu64, &kilobytes) == 1)
			break;
	if (file)
		fclose(file);
	return kilobytes * 1024;
}

/* Adds the limit of a group, unless it has none. */
static void memory_groups_add(void *self, const char *group, bool two)
{
	struct memory_groups *groups = self;
	const struct memory_files *files = &memory_files[two];
	static const char *const pages[] = {"inactive_file", "active_file"}; /* they can be taken away
	                                                                      */
	uint64_t limit, used, number;
	char name[64];
	if (!control_group_number(group, files->limit, "", &limit) || limit > UNLIMITED
	    || !control_group_number(group, files->used, "", &used))
		return;
	for (size_t i = 0; i < sizeof pages / sizeof *pages; i++) {
		snprintf(name, sizeof name, "%s%s", files->sums, pages[i]);
		if (control_group_number(group, "memory.stat", name, &number))
			used -= number < used ? number : used;
	}
	uint64_t left = limit > used ? limit - used : 0;
	groups->left = left < groups->left ? left : groups->left;
	if (limit < groups->limit) {
		groups->limit = limit;
		groups->used = used;
	}
}

struct memory_groups memory_groups_below(const char *proc, const char *name, const char *cgroups)
{
	struct memory_groups groups = {UINT64_MAX, UINT64_MAX, UINT64_MAX};
	control_groups_visit(proc, name, cgroups, "memory", memory_groups_add, &groups);
	return groups;
}

struct memory_groups memory_groups_of(pid_t pid)
{
	char name[16];
	snprintf(name, sizeof name, "%d", (int)pid);
	return memory_groups_below("/proc", name, "/sys/fs/cgroup");
}

uint64_t memory_left_below(const char *proc, const char *cgroups)
{
	return memory_groups_below(proc, "self", cgroups).left;
}

uint64_t memory_left_in_groups(void)
{
	return memory_left_below("/proc", "/sys/fs/cgroup");
}

/* Returns what remains of a limit; UINT64_MAX: unlimited. `used` is a name in /proc/self/status. */
static uint64_t memory_left_of(const struct rlimit *limit, const char *used)
{
	if (limit->rlim_cur == RLIM_INFINITY)
		return UINT64_MAX;
	uint64_t now = memory_left_line("/proc/self/status", used);
	return limit->rlim_cur > now ? limit->rlim_cur - now : 0;
}

uint64_t memory_left_in_space(void)
{
	struct rlimit space = {.rlim_cur = RLIM_INFINITY}, of_data = space;
	getrlimit(RLIMIT_AS, &space);
	getrlimit(RLIMIT_DATA, &of_data);
	uint64_t addresses = memory_left_of(&space, "VmSize");
	uint64_t data = memory_left_of(&of_data, "VmData");
	return addresses < data ? addresses : data;
}

uint64_t memory_left(void)
{
	uint64_t available = memory_left_line("/proc/meminfo", "MemAvailable");
	uint64_t groups = memory_left_in_groups();
	return available < groups ? available : groups;
}
