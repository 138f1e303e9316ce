#include "stuck.h"

#include "limits.h"
#include "state.h"
#include "watch.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/text.h"

#include <dirent.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>

enum { LOOK_NS = 10000000 };

struct waiting {
	pid_t id;
	unsigned long switches; /* how often it has waited */
};
struct waiting_list {
	struct waiting *item;
	size_t count, capacity;
};

/* Returns true if a thread waits and no signal wakes it. */
static bool waits_in_kernel(pid_t pid, pid_t id, unsigned long *switches)
{
	char path[64], line[256], letter = '\0';
	snprintf(path, sizeof path, "/proc/%d/task/%d/status", (int)pid, (int)id);
	FILE *file = fopen(path, "re");
	*switches = 0;
	while (file && fgets(line, sizeof line, file)) {
		sscanf(line, "State: %c", &letter);
		sscanf(line, "voluntary_ctxt_switches: %lu", switches);
		if (letter && letter != 'D')
			break;
	}
	if (file)
		fclose(file);
	return letter == 'D';
}

static void waiting_find(struct waiting_list *list, pid_t pid)
{
	char path[64];
	snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
	DIR *tasks = opendir(path);
	for (struct dirent *entry; tasks && (entry = readdir(tasks));) {
		struct waiting waiting = {.id = (pid_t)strtol(entry->d_name, NULL, 10)};
		if (waiting.id > 0 && waits_in_kernel(pid, waiting.id, &waiting.switches))
			MEM_PUSH(list->item, list->count, list->capacity, waiting);
	}
	if (tasks)
		closedir(tasks);
}

/* Removes those that do not wait any more, or for something else. */
static void waiting_look(struct waiting_list *list, pid_t pid)
{
	size_t kept = 0;
	for (size_t i = 0; i < list->count; i++) {
		unsigned long switches;
		if (waits_in_kernel(pid, list->item[i].id, &switches) && switches == list->item[i].switches)
			list->item[kept++] = list->item[i];
	}
	list->count = kept;
}

pid_t stuck_thread(pid_t pid, struct progress *progress)
{
	const struct timespec pause = {0, LOOK_NS};
	struct waiting_list list = {0};
	uint64_t end = clock_now() + WATCH_MS * UINT64_C(1000000);
	for (waiting_find(&list, pid); list.count && clock_now() < end; waiting_look(&list, pid)) {
		if (!progress_step(progress, 0))
			list.count = 0;
		nanosleep(&pause, NULL);
	}
	pid_t found = list.count ? list.item[0].id : 0;
	free(list.item);
	return found;
}

bool stuck_throttled(pid_t pid, pid_t thread)
{
	return process_state_of(thread).letter == 'R' && limits_processors(pid) > 0;
}

/* ---- What is told */

/* Reads a line about a thread. */
static void read_about(pid_t pid, pid_t thread, const char *name, char *line, size_t room)
{
	char path[64];
	*line = '\0';
	snprintf(path, sizeof path, "/proc/%d/task/%d/%s", (int)pid, (int)thread, name);
	FILE *file = fopen(path, "re");
	if (file && !fgets(line, (int)room, file))
		*line = '\0';
	if (file)
		fclose(file);
	line[strcspn(line, "\n")] = '\0';
}

static bool is_in_vfork(pid_t pid, pid_t thread)
{
	char line[256];
	long number = -1;
	unsigned long flags = 0;
	read_about(pid, thread, "syscall", line, sizeof line);
	sscanf(line, "%ld %lx", &number, &flags);
#ifdef SYS_vfork
	if (number == SYS_vfork)
		return true;
#endif
	return number == SYS_clone && flags & CLONE_VFORK;
}

/* Appends what the thread waits for, by the function of the kernel that it is in. */
static void add_what(pid_t pid, pid_t thread, struct buf *out)
{
	static const struct {
		const char *part, *what;
	} places[] = {
		{"fuse", "a file system of FUSE"},  {"request_wait_answer", "a file system of FUSE"},
		{"nfs", "a file server"},           {"rpc_", "a file server"},
		{"userfault", "its userfaultfd"},   {"folio", "a disk or a file system"},
		{"io_", "a disk or a file system"}, {"page", "a disk or a file system"},
	};
	char where[256];
	const char *what = is_in_vfork(pid, thread)
	                       ? "a child made by vfork that has not become another program yet"
	                       : NULL;
	read_about(pid, thread, "wchan", where, sizeof where);
	for (size_t i = 0; i < sizeof places / sizeof *places && !what; i++)
		if (strstr(where, places[i].part))
			what = places[i].what;
	buf_addf(out, "it waits in the kernel%s%s", what ? " for " : "", what ? what : "");
	if (!*where || strcmp(where, "0") == 0)
		return;
	buf_add(out, " (");
	text_add_escaped(out, where, strlen(where), SIZE_MAX);
	buf_add(out, ")");
}

bool stuck_tell(pid_t pid, pid_t thread, struct err *err)
{
	SCOPED_BUF text = {0};
	double share = limits_processors(pid);
	char letter = process_state_of(thread).letter;
	if (letter == 'R' && share > 0)
		buf_addf(&text,
		         "it is not run, as its control group may use %.3g%% of a processor and has used "
		         "that up",
		         share * 100);
	else if (letter == 'R')
		buf_add(&text, "no processor runs it");
	else if (letter == 'D')
		add_what(pid, thread, &text);
	else
		buf_add(&text, "it did not stop within a second, and has gone on since");
	return err_set(
		err,
		"Process %d cannot be stopped: thread %d does not stop, as %.200s. All threads go "
		"on; try again later",
		(int)pid, (int)thread, buf_text(&text));
}

bool stuck_tell_frozen(pid_t pid, struct err *err)
{
	return err_set(err,
	               "Process %d cannot be stopped, as its control group is frozen. Thaw it first "
	               "(freezer.state; docker unpause)",
	               (int)pid);
}
