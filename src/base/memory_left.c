#include "base/memory_left.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { MEMORY_PATH = 4096 };
/* Version 1 gives a group without a limit the largest number of whole pages. */
static const uint64_t UNLIMITED = UINT64_C(1) << 60;

/* The files of a control group, by the version of control groups. */
static const struct memory_files {
	const char *controller; /* in the line of /proc/PID/cgroup; "": version 2 */
	const char *folder;     /* below that of all control groups */
	const char *limit, *used;
	const char *sums; /* start of the names in memory.stat: the sums of a whole subtree */
} memory_files[] = {
	{"", "", "memory.max", "memory.current", ""},
	{"", "/unified", "memory.max", "memory.current", ""},
	{"memory", "/memory", "memory.limit_in_bytes", "memory.usage_in_bytes", "total_"},
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
	char path[2 * MEMORY_PATH + 128], line[256];
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

/* Adds the limit of a group, unless it has none. */
static void memory_groups_add(struct memory_groups *groups, const char *group,
                              const struct memory_files *files)
{
	static const char *const pages[] = {"inactive_file", "active_file"}; /* they can be taken away
	                                                                      */
	uint64_t limit, used, number;
	char name[64];
	if (!memory_group_number(group, files->limit, "", &limit) || limit > UNLIMITED
	    || !memory_group_number(group, files->used, "", &used))
		return;
	for (size_t i = 0; i < sizeof pages / sizeof *pages; i++) {
		snprintf(name, sizeof name, "%s%s", files->sums, pages[i]);
		if (memory_group_number(group, "memory.stat", name, &number))
			used -= number < used ? number : used;
	}
	uint64_t left = limit > used ? limit - used : 0;
	groups->left = left < groups->left ? left : groups->left;
	if (limit < groups->limit) {
		groups->limit = limit;
		groups->used = used;
	}
}

/* Adds a group and those above it. `group` is a path below `top`; a container may see only the top
   one, or all. */
static void memory_groups_add_upward(struct memory_groups *groups, char *group, size_t top,
                                     const struct memory_files *files)
{
	for (;;) {
		char *slash = strrchr(group, '/');
		memory_groups_add(groups, group, files);
		if (strlen(group) <= top || !slash || (size_t)(slash - group) < top)
			return;
		*slash = 0;
	}
}

/* Returns true if the list of controllers of a line, "cpu,memory", has this one. */
static bool memory_line_is_of(const char *controllers, const char *controller)
{
	size_t length = strlen(controller);
	while (strcspn(controllers, ",:") != length || strncmp(controllers, controller, length) != 0) {
		controllers += strcspn(controllers, ",:");
		if (*controllers++ != ',')
			return false;
	}
	return true;
}

/* Adds the groups of a line such as "0::/a/b" or "4:memory:/a/b". A group beside that of this
   program in a container is "/../b": its files are those that the process itself sees at the top.
 */
static void memory_groups_add_line(struct memory_groups *groups, const char *line,
                                   const char *process, const char *cgroups)
{
	char group[2 * MEMORY_PATH + 64];
	const char *kinds = strchr(line, ':'), *own = kinds ? strchr(kinds + 1, ':') : NULL;
	bool beside = own && strncmp(own + 1, "/..", 3) == 0;
	for (size_t i = 0; own && i < MEMORY_FILES; i++) {
		const struct memory_files *files = &memory_files[i];
		if (!memory_line_is_of(kinds + 1, files->controller))
			continue;
		int top =
			beside ? snprintf(group, sizeof group, "%s/root%s%s", process, cgroups, files->folder)
				   : snprintf(group, sizeof group, "%s%s", cgroups, files->folder);
		if (!beside)
			snprintf(group + top, sizeof group - (size_t)top, "%s", own + 1);
		memory_groups_add_upward(groups, group, (size_t)top, files);
	}
}

struct memory_groups memory_groups_below(const char *proc, const char *name, const char *cgroups)
{
	char process[MEMORY_PATH / 2], path[MEMORY_PATH], line[MEMORY_PATH];
	struct memory_groups groups = {UINT64_MAX, UINT64_MAX, UINT64_MAX};
	snprintf(process, sizeof process, "%s/%s", proc, name);
	snprintf(path, sizeof path, "%s/cgroup", process);
	FILE *file = fopen(path, "re");
	while (file && fgets(line, sizeof line, file)) {
		line[strcspn(line, "\n")] = 0;
		memory_groups_add_line(&groups, line, process, cgroups);
	}
	if (file)
		fclose(file);
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

uint64_t memory_left(void)
{
	uint64_t available = memory_left_line("/proc/meminfo", "MemAvailable");
	uint64_t groups = memory_left_in_groups();
	return available < groups ? available : groups;
}
