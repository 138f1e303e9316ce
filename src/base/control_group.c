#include "base/control_group.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { GROUP_PATH = 4096 };

static FILE *control_group_open(const char *folder, const char *file)
{
	char path[2 * GROUP_PATH + 128];
	snprintf(path, sizeof path, "%s/%s", folder, file);
	return fopen(path, "re");
}

bool control_group_number(const char *folder, const char *file, const char *name, uint64_t *number)
{
	char line[256];
	bool found = false;
	FILE *open = control_group_open(folder, file);
	while (open && !found && fgets(line, sizeof line, open)) {
		size_t len = strlen(name);
		if (strncmp(line, name, len) == 0 && (!len || line[len] == ' '))
			found = sscanf(line + len, "%" SCNu64, number) == 1;
	}
	if (open)
		fclose(open);
	return found;
}

void control_group_line(const char *folder, const char *file, char *line, size_t room)
{
	FILE *open = control_group_open(folder, file);
	if (!open || !fgets(line, (int)room, open))
		*line = '\0';
	if (open)
		fclose(open);
}

bool control_group_says(const char *folder, const char *file, const char *text)
{
	char line[256];
	control_group_line(folder, file, line, sizeof line);
	return strncmp(line, text, strlen(text)) == 0;
}

struct group_walk {
	const char *process, *cgroups, *controller;
	control_group_visit *visit;
	void *self;
};

/* Visits a group and those above it. `group` is a path below `top`; a container may see only the
   top one, or all. */
static void group_walk_upward(const struct group_walk *walk, char *group, size_t top, bool two)
{
	for (;;) {
		char *slash = strrchr(group, '/');
		walk->visit(walk->self, group, two);
		if (strlen(group) <= top || !slash || (size_t)(slash - group) < top)
			return;
		*slash = 0;
	}
}

/* Visits a group below a folder. One beside that of this program in a container is "/../b": its
   files are those that the process itself sees at the top. */
static void group_walk_below(const struct group_walk *walk, const char *own, const char *folder,
                             bool two)
{
	char group[2 * GROUP_PATH + 64];
	bool beside = strncmp(own, "/..", 3) == 0;
	int top =
		beside ? snprintf(group, sizeof group, "%s/root%s%s", walk->process, walk->cgroups, folder)
			   : snprintf(group, sizeof group, "%s%s", walk->cgroups, folder);
	if (!beside)
		snprintf(group + top, sizeof group - (size_t)top, "%s", own);
	group_walk_upward(walk, group, (size_t)top, two);
}

/* Returns true if the list of controllers of a line, "cpu,memory", has this one. */
static bool group_line_is_of(const char *controllers, const char *controller)
{
	size_t length = strlen(controller);
	while (strcspn(controllers, ",:") != length || strncmp(controllers, controller, length) != 0) {
		controllers += strcspn(controllers, ",:");
		if (*controllers++ != ',')
			return false;
	}
	return true;
}

/* Visits the groups of a line such as "0::/a/b" or "4:memory:/a/b". */
static void group_walk_line(const struct group_walk *walk, const char *line)
{
	char folder[64];
	const char *kinds = strchr(line, ':'), *own = kinds ? strchr(kinds + 1, ':') : NULL;
	if (!own)
		return;
	if (group_line_is_of(kinds + 1, "")) {
		group_walk_below(walk, own + 1, "", true);
		group_walk_below(walk, own + 1, "/unified", true);
	}
	if (group_line_is_of(kinds + 1, walk->controller)) {
		snprintf(folder, sizeof folder, "/%s", walk->controller);
		group_walk_below(walk, own + 1, folder, false);
	}
}

void control_groups_visit(const char *proc, const char *name, const char *cgroups,
                          const char *controller, control_group_visit *visit, void *self)
{
	char process[GROUP_PATH / 2], path[GROUP_PATH], line[GROUP_PATH];
	const struct group_walk walk = {process, cgroups, controller, visit, self};
	snprintf(process, sizeof process, "%s/%s", proc, name);
	snprintf(path, sizeof path, "%s/cgroup", process);
	FILE *file = fopen(path, "re");
	while (file && fgets(line, sizeof line, file)) {
		line[strcspn(line, "\n")] = 0;
		group_walk_line(&walk, line);
	}
	if (file)
		fclose(file);
}

void control_groups_of(int pid, const char *controller, control_group_visit *visit, void *self)
{
	char name[16];
	snprintf(name, sizeof name, "%d", pid);
	control_groups_visit("/proc", name, "/sys/fs/cgroup", controller, visit, self);
}
