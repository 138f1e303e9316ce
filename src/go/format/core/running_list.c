#include "go/format/core/running_list.h"

#include "base/bound.h"
#include "base/mem.h"
#include "base/process.h"
#include "go/exe/exe.h"
#include "running_files.h"
#include "running_goroutines.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Cached result for an executable that several processes may run. */
struct running_seen {
	dev_t device;
	ino_t inode;
	char *version; /* NULL: not a Go program */
	struct running_goroutines goroutines;
};
struct running_search {
	struct running_list list;
	size_t capacity;
	struct running_seen *seen;
	size_t seen_count, seen_capacity;
};

/* Returns the resident bytes; 0 for a kernel thread, a zombie, or a process that has ended. */
static uint64_t running_resident(pid_t pid)
{
	char path[64];
	uint64_t pages = 0;
	snprintf(path, sizeof path, "/proc/%d/statm", (int)pid);
	FILE *file = fopen(path, "re");
	if (file && fscanf(file, "%*u %" SCNu64, &pages) != 1)
		pages = 0;
	if (file)
		fclose(file);
	return pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

static bool running_link(pid_t pid, const char *name, char *target, size_t room)
{
	char path[64];
	snprintf(path, sizeof path, "/proc/%d/%s", (int)pid, name);
	ssize_t len = readlink(path, target, room - 1);
	target[len > 0 ? len : 0] = '\0';
	return len > 0;
}

/* Returns what is known of an executable. */
static const struct running_seen *running_look(struct running_search *search, const char *path,
                                               const struct stat *info)
{
	for (size_t i = 0; i < search->seen_count; i++)
		if (search->seen[i].inode == info->st_ino && search->seen[i].device == info->st_dev)
			return &search->seen[i];
	struct err err = {0};
	struct exe *exe = exe_is_go(path) ? exe_open(path, NULL, &err) : NULL;
	struct running_seen seen = {info->st_dev, info->st_ino, NULL, {0}};
	if (exe) {
		seen.version = mem_strdup(exe_version(exe));
		seen.goroutines = running_goroutines_of(exe);
	}
	exe_close(exe);
	search->seen =
		mem_grow(search->seen, search->seen_count, &search->seen_capacity, sizeof *search->seen);
	search->seen[search->seen_count] = seen;
	return &search->seen[search->seen_count++];
}

/* Finds the Go libraries that a program of another language has loaded: adds their names, and
   returns what is known of the first one; NULL: there is none. */
static const struct running_seen *running_libraries(struct running_search *search, pid_t pid,
                                                    struct buf *names)
{
	struct running_files files;
	struct stat info;
	size_t first = SIZE_MAX;
	SCOPED_BUF path = {0};
	running_files_open(&files, pid);
	while (running_files_next(&files, &path)) {
		if (stat(buf_text(&path), &info) != 0 || !S_ISREG(info.st_mode))
			continue;
		const struct running_seen *seen = running_look(search, buf_text(&path), &info);
		if (!seen->version)
			continue;
		if (first == SIZE_MAX)
			first = (size_t)(seen - search->seen);
		buf_addf(names, "%s%s", names->len ? ", " : "", strrchr(buf_text(&path), '/') + 1);
	}
	running_files_close(&files);
	return first == SIZE_MAX ? NULL : &search->seen[first];
}

static void running_add(struct running_search *search, pid_t pid)
{
	char path[64], target[4096], own[64] = "", its[64] = "";
	struct buf libraries = {0};
	struct stat info, there;
	uint64_t resident = running_resident(pid);
	snprintf(path, sizeof path, "/proc/%d/exe", (int)pid);
	if (!resident || !running_link(pid, "exe", target, sizeof target) || stat(path, &info) != 0) {
		search->list.denied += resident && (errno == EACCES || errno == EPERM);
		return;
	}
	const struct running_seen *seen = running_look(search, path, &info);
	if (!seen->version)
		seen = running_libraries(search, pid, &libraries);
	if (!seen)
		return;
	struct running_process process = {.pid = pid, .resident = resident, .libraries = libraries};
	process.counted = running_goroutines_count(pid, &seen->goroutines, &process.threads);
	running_link(getpid(), "ns/mnt", own, sizeof own);
	process.elsewhere = running_link(pid, "ns/mnt", its, sizeof its) && strcmp(own, its) != 0;
	process.deleted = !process.elsewhere
	                  && (stat(target, &there) != 0 || there.st_ino != info.st_ino
	                      || there.st_dev != info.st_dev);
	if (process.deleted)
		process_cut_deleted(target);
	const char *slash = strrchr(target, '/');
	buf_add(&process.name, slash ? slash + 1 : target);
	buf_add(&process.version, seen->version);
	buf_add(&process.executable, target);
	MEM_PUSH(search->list.process, search->list.count, search->capacity, process);
}

ORDER_MOST_FIRST(running_by_memory, struct running_process, resident, pid);

struct running_list running_list_new(void)
{
	struct running_search search = {0};
	DIR *all = opendir("/proc");
	for (struct dirent *entry; all && (entry = readdir(all));)
		if (isdigit((unsigned char)*entry->d_name))
			running_add(&search, (pid_t)strtol(entry->d_name, NULL, 10));
	if (all)
		closedir(all);
	for (size_t i = 0; i < search.seen_count; i++)
		free(search.seen[i].version);
	free(search.seen);
	if (search.list.count)
		qsort(search.list.process, search.list.count, sizeof *search.list.process,
		      running_by_memory);
	return search.list;
}

void running_list_free(struct running_list *list)
{
	for (size_t i = 0; i < list->count; i++) {
		buf_free(&list->process[i].name);
		buf_free(&list->process[i].version);
		buf_free(&list->process[i].executable);
		buf_free(&list->process[i].libraries);
	}
	free(list->process);
	*list = (struct running_list){0};
}
