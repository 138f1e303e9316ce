/* The memory of a process and of its control group, read from /proc without stopping it. */
#include "base/memory_left.h"
#include "base/process.h"

#include <inttypes.h>
#include <linux/magic.h>
#include <stdio.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

/* Reads state, start time and resident pages: fields 3, 22 and 24 of /proc/PID/stat. The second
   field, the name, may contain blanks and parentheses. */
static bool usage_read_stat(pid_t pid, struct process_usage *usage)
{
	char path[64], line[1024] = "", letter = 'X';
	uint64_t pages = 0;
	snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
	FILE *file = fopen(path, "re");
	const char *end = file && fgets(line, sizeof line, file) ? strrchr(line, ')') : NULL;
	if (file)
		fclose(file);
	if (!end
	    || sscanf(end + 1,
	              " %c %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s "
	              "%" SCNu64 " %*s %" SCNu64,
	              &letter, &usage->start, &pages)
	           != 3)
		return false;
	usage->resident = pages * (uint64_t)sysconf(_SC_PAGESIZE);
	return letter != 'Z' && letter != 'X';
}

bool process_usage_read(pid_t pid, struct process_usage *usage)
{
	*usage = (struct process_usage){0};
	if (!usage_read_stat(pid, usage) && !(process_lives(pid) && usage_read_stat(pid, usage)))
		return false;
	struct memory_groups groups = memory_groups_of(pid);
	uint64_t machine = memory_left_line("/proc/meminfo", "MemTotal");
	uint64_t available = memory_left_line("/proc/meminfo", "MemAvailable");
	usage->of_group = groups.limit < machine;
	usage->limit = usage->of_group ? groups.limit : machine;
	usage->used = usage->of_group ? groups.used : usage->resident;
	usage->left = available < groups.left ? available : groups.left;
	return true;
}

/* A fork may need as much again, if the process writes to all of its memory while the fork is
   copied, and a file in memory once more. The process grows meanwhile, too. */
bool process_fork_fits(pid_t pid, const struct process_usage *usage)
{
	enum { SPARED = 64 << 20, QUARTERS = 9 };
	uint64_t quarter = process_size(pid) / 4;
	return quarter && usage->left < UINT64_MAX / 2 && usage->left > SPARED
	       && (usage->left - SPARED) / QUARTERS > quarter;
}

/* The copy is in memory twice until it is written. Later the file must leave the process the memory
   that its limit allows, as it would die of the file otherwise. */
bool process_file_fits(pid_t pid, int fd, const struct process_usage *usage)
{
	struct statfs info;
	uint64_t bytes = process_size(pid), left = memory_left();
	if (fstatfs(fd, &info) != 0 || (info.f_type != TMPFS_MAGIC && info.f_type != RAMFS_MAGIC))
		return true;
	uint64_t room = usage->limit > usage->used ? usage->limit - usage->used : 0;
	room = usage->of_group ? room : bytes;
	return left > room && (left - room) / 2 > bytes;
}
