#include "state.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { SETTLE_NS = 1000000, SETTLE_TRIES = 1000 };

static void state_take_line(struct process_state *state, const char *line)
{
	const char *colon = strchr(line, ':');
	size_t key = colon ? (size_t)(colon - line) : 0;
	const char *value = colon ? colon + 1 + strspn(colon + 1, " \t") : "";
	if (strncmp(line, "Name", key) == 0)
		snprintf(state->name, sizeof state->name, "%.*s", (int)strcspn(value, "\n"), value);
	else if (strncmp(line, "State", key) == 0)
		state->letter = *value;
	else if (strncmp(line, "Tgid", key) == 0)
		state->group = (pid_t)strtol(value, NULL, 10);
	else if (strncmp(line, "TracerPid", key) == 0)
		state->tracer = (pid_t)strtol(value, NULL, 10);
	else if (strncmp(line, "NSpid", key) == 0)
		state->inner = (pid_t)strtol(strrchr(line, '\t') ? strrchr(line, '\t') : "", NULL, 10);
	else if (strncmp(line, "Uid", key) == 0)
		state->user = (unsigned)strtoul(value, NULL, 10);
	else if (strncmp(line, "Seccomp", key) == 0)
		state->seccomp = (int)strtol(value, NULL, 10);
	else if (strncmp(line, "VmSize", key) == 0)
		state->has_memory = true;
}

struct process_state process_state_of(pid_t pid)
{
	struct process_state state = {0};
	char path[64], line[256];
	snprintf(path, sizeof path, "/proc/%d/status", (int)pid);
	FILE *file = fopen(path, "re");
	while (file && fgets(line, sizeof line, file))
		if (strchr(line, ':'))
			state_take_line(&state, line);
	if (file)
		fclose(file);
	return state;
}

/* Returns a number of /proc/PID/stat; the state is the third field. The second one, the name, may
   contain blanks and parentheses. */
static unsigned long long state_field(pid_t pid, int field)
{
	enum { STATE = 3 };
	char path[64], line[1024] = "";
	unsigned long long number = 0;
	snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
	FILE *file = fopen(path, "re");
	char *at = file && fgets(line, sizeof line, file) ? strrchr(line, ')') : NULL;
	if (file)
		fclose(file);
	at = at && at[1] && at[2] && at[3] ? at + 3 : NULL;
	for (int i = STATE; at && i < field; i++)
		number = strtoull(at, &at, 10);
	return at ? number : 0;
}

int process_end_signal(pid_t pid)
{
	enum { EXIT_SIGNAL = 38 };
	return (int)state_field(pid, EXIT_SIGNAL);
}

pid_t process_parent(pid_t pid)
{
	enum { PARENT = 4 };
	return (pid_t)state_field(pid, PARENT);
}

bool process_is_kernel(pid_t pid)
{
	enum { FLAGS = 9, IO_WORKER = 0x10, USER_WORKER = 0x4000, KERNEL_THREAD = 0x200000 };
	return state_field(pid, FLAGS) & (IO_WORKER | USER_WORKER | KERNEL_THREAD);
}

bool process_denied(const struct process_state *state, pid_t pid, unsigned ours, int scope,
                    struct err *err)
{
	if (state->tracer)
		return err_set(err,
		               "Process %d (%s) is being traced already, by process %d (%s): a process "
		               "has one tracer at a time, so end that one first",
		               (int)pid, state->name, (int)state->tracer,
		               process_state_of(state->tracer).name);
	if (state->user != ours && ours != 0)
		return err_set(err,
		               "Process %d (%s) is another user's, of id %u: run goheapx as that user or "
		               "as root",
		               (int)pid, state->name, state->user);
	if (scope == 3)
		return err_set(
			err,
			"Process %d (%s) cannot be read, permission denied: kernel.yama.ptrace_scope is 3, "
			"which forbids it to all until the next boot",
			(int)pid, state->name);
	if (scope > 0 && ours != 0)
		return err_set(
			err,
			"Process %d (%s) cannot be read, permission denied: kernel.yama.ptrace_scope is %d. "
			"Run goheapx as root%s",
			(int)pid, state->name, scope,
			scope == 1 ? ", or set it to 0: sysctl kernel.yama.ptrace_scope=0" : "");
	return ours ? err_set(err,
	                      "Permission denied: the kernel does not let you look into process %d "
	                      "(%s), which may have more rights than you. Run goheapx as root; in a "
	                      "container that takes the capability SYS_PTRACE (--cap-add=SYS_PTRACE)",
	                      (int)pid, state->name)
	            : err_set(err,
	                      "Permission denied: the kernel does not let root look into process %d "
	                      "(%s) here without the capability SYS_PTRACE. Start the container with "
	                      "--cap-add=SYS_PTRACE",
	                      (int)pid, state->name);
}

static int yama_scope(void)
{
	int scope = -1;
	FILE *file = fopen("/proc/sys/kernel/yama/ptrace_scope", "re");
	if (file && fscanf(file, "%d", &scope) != 1)
		scope = -1;
	if (file)
		fclose(file);
	return scope;
}

bool process_denied_here(pid_t pid, struct err *err)
{
	struct process_state state = process_state_of(pid);
	return process_denied(&state, pid, geteuid(), yama_scope(), err);
}

/* Returns true if a thread other than the first is alive. */
static bool has_other_threads(pid_t pid)
{
	char path[64];
	bool found = false;
	snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
	DIR *tasks = opendir(path);
	for (struct dirent *entry; tasks && !found && (entry = readdir(tasks));) {
		pid_t id = (pid_t)strtol(entry->d_name, NULL, 10);
		char letter = id > 0 && id != pid ? process_state_of(id).letter : '\0';
		found = letter && letter != 'Z' && letter != 'X';
	}
	if (tasks)
		closedir(tasks);
	return found;
}

/* Returns the state after a running exec(): meanwhile the first thread is a zombie until another
   one takes its place. The state is read after the threads, as that may happen between the two. */
static struct process_state settled_state(pid_t pid)
{
	const struct timespec pause = {0, SETTLE_NS};
	struct process_state state = process_state_of(pid);
	bool others = true;
	for (int i = 0; i < SETTLE_TRIES && state.letter == 'Z' && others; i++) {
		others = has_other_threads(pid);
		if (others)
			nanosleep(&pause, NULL);
		state = process_state_of(pid);
	}
	return state;
}

bool process_lives(pid_t pid)
{
	char letter = settled_state(pid).letter;
	return letter && letter != 'Z' && letter != 'X';
}

bool process_check(pid_t pid, struct err *err)
{
	struct process_state state = settled_state(pid);
	if (!state.letter)
		return err_set(err, "There is no process %d any more", (int)pid);
	if (state.letter == 'Z' && has_other_threads(pid))
		return err_set(
			err,
			"The first thread of process %d (%s) has ended while others go on: the kernel "
			"shows no memory of such a process",
			(int)pid, state.name);
	if (state.letter == 'Z' || state.letter == 'X')
		return err_set(err,
		               "Process %d (%s) has ended and has no memory any more: it is a zombie that "
		               "waits for its parent to take its exit status",
		               (int)pid, state.name);
	if (state.group != pid)
		return err_set(err, "%d is a thread of process %d (%s): goheapx %d reads that", (int)pid,
		               (int)state.group, state.name, (int)state.group);
	if (!state.has_memory && process_is_kernel(pid))
		return err_set(err, "%d (%s) is a thread of the kernel: it has no memory of its own",
		               (int)pid, state.name);
	if (!state.has_memory)
		return err_set(err, "Process %d (%s) is ending and has no memory any more", (int)pid,
		               state.name);
	return !state.tracer || process_denied_here(pid, err);
}
