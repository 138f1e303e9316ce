/* A thread that waits where no signal reaches it: the process is let go in time, and it is named.
 */
#include "cmocka_all.h"

#include "base/process/keeper.h"
#include "base/process/stop.h"

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SLEEP_S = 600 };

struct asked {
	pid_t pid;
	pid_t stuck;
	bool stopped;
};

static int ready;

static void *wait_in_vfork(void *unused)
{
	(void)unused;
	pid_t id = (pid_t)syscall(SYS_gettid);
	if (write(ready, &id, sizeof id) != sizeof id)
		abort();
	if (vfork() == 0) {
		syscall(SYS_pause);
		_exit(0);
	}
	return NULL;
}

/* A process with two threads, one of which waits in vfork; its pid, and the thread in *thread. */
static pid_t start_process(pid_t *thread)
{
	int ends[2];
	assert_int_equal(pipe(ends), 0);
	pid_t pid = fork();
	if (pid == 0) {
		pthread_t one;
		ready = ends[1];
		setpgid(0, 0);
		alarm(SLEEP_S);
		pthread_create(&one, NULL, wait_in_vfork, NULL);
		for (;;)
			pause();
	}
	assert_int_equal(read(ends[0], thread, sizeof *thread), sizeof *thread);
	close(ends[0]);
	close(ends[1]);
	return pid;
}

static char state_of(pid_t id)
{
	char path[64], line[256];
	snprintf(path, sizeof path, "/proc/%d/stat", (int)id);
	FILE *file = fopen(path, "r");
	const char *end = file && fgets(line, sizeof line, file) ? strrchr(line, ')') : NULL;
	if (file)
		fclose(file);
	return end ? end[2] : '\0';
}

static bool stop_it(void *self, struct process_copy *copy, struct progress *progress,
                    struct err *err)
{
	struct asked *asked = self;
	struct stopped stopped;
	(void)copy, (void)progress;
	asked->stopped = stop_process(&stopped, asked->pid, &asked->stuck, err);
	return asked->stopped;
}

static bool stop_nothing(void *self, struct process_copy *copy, struct progress *progress,
                         struct err *err)
{
	(void)self, (void)copy, (void)progress, (void)err;
	return false;
}

static bool wait_for_ever(void *self, struct process_copy *copy, struct progress *progress,
                          struct err *err)
{
	(void)self, (void)copy, (void)progress, (void)err;
	while (pause() == -1)
		continue;
	return true;
}

TEST(an_undo_that_does_not_end_is_ended)
{
	struct process_copy copy = {0};
	struct err err = {0};
	int self = 0;
	assert_false(keeper_run(stop_nothing, wait_for_ever, &self, sizeof self, &copy, NULL, &err));
	assert_true(err.set);
}

TEST(a_thread_that_does_not_stop_is_named_and_all_go_on)
{
	pid_t thread = 0, pid = start_process(&thread);
	struct asked asked = {.pid = pid};
	struct process_copy copy = {0};
	struct err err = {0};
	if (ptrace(PTRACE_SEIZE, pid, NULL, NULL) != 0) { /* not allowed here */
		kill(-pid, SIGKILL);
		skip();
	}
	ptrace(PTRACE_INTERRUPT, pid, NULL, NULL);
	waitpid(pid, NULL, __WALL);
	ptrace(PTRACE_DETACH, pid, NULL, NULL);
	while (state_of(thread) != 'D')
		poll(NULL, 0, 1);
	assert_false(keeper_run(stop_it, NULL, &asked, sizeof asked, &copy, NULL, &err));
	assert_false(asked.stopped);
	assert_int_equal(asked.stuck, thread);
	while (state_of(pid) != 'S')
		poll(NULL, 0, 1);
	kill(-pid, SIGKILL);
	waitpid(pid, NULL, 0);
}
