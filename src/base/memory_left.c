#include "base/memory_left.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { PATH = 4096 };

/* The files of a control group, by the version of control groups. */
static const struct memory_files {
	const char *folder; /* below that of all control groups */
	const char *limit, *used;
	const char *sums; /* start of the names in memory.stat: the sums of a whole subtree */
} memory_files[] = {
	{"", "memory.max", "memory.current", ""},
	{"/unified", "memory.max", "memory.current", ""},
	{"/memory", "memory.limit_in_bytes", "memory.usage_in_bytes", "total_"},
};
enum { MEMORY_FILES = sizeof memory_files / sizeof *memory_files };

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

/* Reads the number after a name, or the first number if `name` is empty, from a file of a control
   group. False: there is none, as in a group without a limit. */
static bool memory_group_number(const char *group, const char *file, const char *name,
                                uint64_t *number)
{
	char path[2 * PATH + 64], line[256];
	bool found = false;
	snprintf(path, sizeof path, "%s/%s", group, file);
	FILE *open = fopen(path, "re");
	while (open && !found && fgets(line, sizeof line, open)) {
		size_t len = strlen(name);
		if (strncmp(line, name, len) == 0 && (!len || line[len] == ' '))
			found = sscanf(line + len, "%" SCNu64, number) == 1;
	}
	if (open)
		fclose(open);
	return found;
}

static uint64_t memory_left_in_group(const char *group, const struct memory_files *files)
{
	static const char *const pages[] = {"inactive_file", "active_file"}; /* they can be taken away
	                                                                      */
	uint64_t limit, used, number;
	char name[64];
	if (!memory_group_number(group, files->limit, "", &limit)
	    || !memory_group_number(group, files->used, "", &used))
		return UINT64_MAX;
	for (size_t i = 0; i < sizeof pages / sizeof *pages; i++) {
		snprintf(name, sizeof name, "%s%s", files->sums, pages[i]);
		if (memory_group_number(group, "memory.stat", name, &number))
			used -= number < used ? number : used;
	}
	return limit > used ? limit - used : 0;
}

/* Returns the least that is left in a group and in those above it. `group` is a path below `top`;
   a container may see only the top one, or all. */
static uint64_t memory_left_upward(char *group, size_t top, const struct memory_files *files)
{
	uint64_t least = UINT64_MAX;
	for (;;) {
		uint64_t left = memory_left_in_group(group, files);
		char *slash = strrchr(group, '/');
		least = left < least ? left : least;
		if (strlen(group) <= top || !slash || (size_t)(slash - group) < top)
			return least;
		*slash = 0;
	}
}

uint64_t memory_left_below(const char *proc, const char *cgroups)
{
	char path[PATH], line[PATH], group[2 * PATH];
	uint64_t least = UINT64_MAX;
	snprintf(path, sizeof path, "%s/self/cgroup", proc);
	FILE *file = fopen(path, "re");
	while (file && fgets(line, sizeof line, file)) { /* "0::/a/b", "4:memory:/a/b" */
		char *kinds = strchr(line, ':'), *own = kinds ? strchr(kinds + 1, ':') : NULL;
		if (!own)
			continue;
		own[strcspn(own, "\n")] = 0;
		for (size_t i = 0; i < MEMORY_FILES; i++) {
			int top = snprintf(group, sizeof group, "%s%s", cgroups, memory_files[i].folder);
			snprintf(group + top, sizeof group - (size_t)top, "%s", own + 1);
			uint64_t left = memory_left_upward(group, (size_t)top, &memory_files[i]);
			least = left < least ? left : least;
		}
	}
	if (file)
		fclose(file);
	return least;
}

uint64_t memory_left_in_groups(void)
{
	return memory_left_below("/proc", "/sys/fs/cgroup");
}

uint64_t memory_left(void)
{
	uint64_t available = memory_left_line("/proc/meminfo", "MemAvailable");
	uint64_t groups = memory_left_in_groups();
	return available < groups ? available : groups;
}
