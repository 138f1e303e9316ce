/* Maps words to processes, and processes to names. */
#include "base/buf.h"
#include "base/mem.h"
#include "base/process.h"
#include "base/text.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Parses "1234" or "/proc/1234". Returns 0 if it is neither. */
static pid_t number_of_process(const char *word)
{
	static const char folder[] = "/proc/";
	if (strncmp(word, folder, sizeof folder - 1) == 0)
		word += sizeof folder - 1;
	char *end;
	long number = strtol(word, &end, 10);
	while (*end == '/')
		end++;
	return isdigit((unsigned char)*word) && !*end && number > 0 && number < INT32_MAX
	           ? (pid_t)number
	           : 0;
}

void process_cut_deleted(char *target)
{
	static const char end[] = " (deleted)";
	size_t len = strlen(target), cut = sizeof end - 1;
	if (len > cut && strcmp(target + len - cut, end) == 0)
		target[len - cut] = '\0';
}

enum { EXEC_TRIES = 20 };

/* Reads the path of the executable, which is not there for a moment of exec(). */
static bool process_read_link(pid_t pid, char *target, size_t room)
{
	char path[64];
	ssize_t len = -1;
	snprintf(path, sizeof path, "/proc/%d/exe", (int)pid);
	for (int i = 0; i < EXEC_TRIES && len <= 0; i++) {
		len = readlink(path, target, room - 1);
		if (len <= 0 && (errno != ENOENT || !process_lives(pid)))
			return false;
	}
	target[len > 0 ? len : 0] = '\0';
	return len > 0;
}

int process_executable_open(pid_t pid)
{
	char path[64];
	int fd = -1;
	snprintf(path, sizeof path, "/proc/%d/exe", (int)pid);
	for (int i = 0; i < EXEC_TRIES && fd < 0; i++) {
		fd = open(path, O_RDONLY | O_CLOEXEC);
		if (fd < 0 && (errno != ENOENT || !process_lives(pid)))
			break;
	}
	return fd;
}

/* Reads the base name of the executable. Returns false if it cannot be read. */
static bool base_of_executable(pid_t pid, char *name, size_t room)
{
	char target[4096];
	if (!process_read_link(pid, target, sizeof target))
		return false;
	process_cut_deleted(target);
	const char *slash = strrchr(target, '/');
	snprintf(name, room, "%.*s", (int)room - 1, slash ? slash + 1 : target);
	return true;
}

static bool process_is_called(pid_t pid, const char *word)
{
	char name[256];
	return pid != getpid() && base_of_executable(pid, name, sizeof name) && strcmp(name, word) == 0;
}

/* Returns the only process that runs a file of this name. Returns 0 if there is none, and with *err
   if there are several. */
static pid_t only_one_called(const char *word, struct err *err)
{
	DIR *all = opendir("/proc");
	pid_t found = 0, other = 0;
	for (struct dirent *entry; all && (entry = readdir(all));) {
		pid_t pid = isdigit((unsigned char)*entry->d_name) ? (pid_t)strtol(entry->d_name, NULL, 10)
		                                                   : 0;
		if (!pid || !process_is_called(pid, word))
			continue;
		other = found;
		found = pid;
		if (other)
			break;
	}
	if (all)
		closedir(all);
	if (!other)
		return found;
	err_set(err, "Several processes are called %.60s, %d and %d for instance: say which by number",
	        word, (int)found, (int)other);
	return 0;
}

pid_t process_named(const char *word, bool files_first, struct err *err)
{
	struct stat info;
	char path[64];
	pid_t pid = number_of_process(word);
	bool is_file = files_first && strncmp(word, "/proc/", 6) != 0 && stat(word, &info) == 0;
	if (is_file || (!pid && (strchr(word, '/') || !*word)))
		return 0;
	if (!pid)
		return only_one_called(word, err);
	snprintf(path, sizeof path, "/proc/%d", (int)pid);
	if (stat(path, &info) == 0)
		return pid;
	err_set(err, "There is no process %d, and no file of that name", (int)pid);
	return 0;
}

void process_add_name(pid_t pid, struct buf *out)
{
	char name[256];
	if (base_of_executable(pid, name, sizeof name))
		text_add_escaped(out, name, strlen(name), SIZE_MAX);
	else
		buf_addf(out, "process %d", (int)pid);
}

char *process_executable(pid_t pid)
{
	char path[64], target[4096];
	struct stat runs, there;
	bool same = process_read_link(pid, target, sizeof target) && stat(target, &there) == 0;
	int fd = same ? process_executable_open(pid) : -1;
	same = fd >= 0 && fstat(fd, &runs) == 0 && runs.st_ino == there.st_ino
	       && runs.st_dev == there.st_dev;
	if (fd >= 0)
		close(fd);
	snprintf(path, sizeof path, "/proc/%d/exe", (int)pid);
	return mem_strdup(same ? target : path);
}
