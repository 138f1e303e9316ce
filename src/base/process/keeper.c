#include "keeper.h"

#include "watch.h"

#include "base/clock.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
	LOOK_NS = 2000000,
	/* after it was cancelled: to undo what it did, and to end */
	UNDO_MS = 500,
	END_MS = 200,
	UNDONE_MS = 10000, /* for all of undoing, which nobody cancels */
};

/* Memory shared by both processes. */
struct keeper {
	struct progress progress;
	struct process_copy copy;
	struct err err;
	bool done;
	_Alignas(max_align_t) unsigned char self[];
};

static bool has_ended(pid_t pid, int *status)
{
	pid_t got = waitpid(pid, status, WNOHANG);
	return got == pid || (got < 0 && errno != EINTR);
}

static struct keeper *kept;

static void keeper_stop(int number)
{
	(void)number;
	atomic_store(&kept->progress.cancel, true);
	watch_hurry();
}

static _Noreturn void keep(struct keeper *shared, pid_t parent, keeper_work *work)
{
	static const int ends[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGTSTP, SIGTTOU};
	const struct sigaction stop = {.sa_handler = keeper_stop, .sa_flags = SA_RESTART};
	sigset_t none;
	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
		signal(ends[i], SIG_IGN);
	kept = shared;
	sigaction(SIGUSR1, &stop, NULL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	prctl(PR_SET_PDEATHSIG, SIGUSR1);
	setsid();
	prctl(PR_SET_NAME, "heap-snapshot");
	shared->done = getppid() == parent
	               && work(shared->self, &shared->copy, &shared->progress, &shared->err);
	_exit(0);
}

/* Ends a keeper that was cancelled at `since` and has not ended; 0: it was not. Returns false if
   even the kernel cannot end it: it waits for a disk that does not answer. */
static bool keeper_end(pid_t pid, uint64_t since)
{
	uint64_t ms = since ? (clock_now() - since) / 1000000 : 0;
	if (ms > UNDO_MS)
		kill(pid, SIGKILL);
	return ms <= UNDO_MS + END_MS;
}

/* Runs `work` in a child process until a time of clock_now() at most. Returns true if it finished,
   false if it was killed or could not be created. */
static bool keeper_do(struct keeper *shared, keeper_work *work, struct progress *progress,
                      uint64_t until)
{
	const struct timespec pause = {0, LOOK_NS};
	uint64_t cancelled = 0;
	pid_t parent = getpid(), pid = fork();
	int status = 0;
	if (pid == 0)
		keep(shared, parent, work);
	if (pid < 0)
		return err_set(&shared->err, "No process can be made: %s", strerror(errno));
	while (!has_ended(pid, &status)) {
		const char *what = atomic_load(&shared->progress.what);
		if (progress && what && what != atomic_load(&progress->what))
			progress_begin(progress, what, atomic_load(&shared->progress.total));
		bool goes_on = progress_step(progress, atomic_load(&shared->progress.done))
		               && clock_now() < until;
		if (!goes_on && !cancelled) {
			cancelled = clock_now();
			atomic_store(&shared->progress.cancel, true);
			kill(pid, SIGUSR1);
		}
		if (!keeper_end(pid, cancelled))
			return false;
		nanosleep(&pause, NULL);
	}
	return !WIFSIGNALED(status);
}

bool keeper_run(keeper_work *work, keeper_work *undo, void *self, size_t size,
                struct process_copy *copy, struct progress *progress, struct err *err)
{
	struct keeper *shared = mmap(NULL, sizeof *shared + size, PROT_READ | PROT_WRITE,
	                             MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (shared == MAP_FAILED)
		return err_set(err, "There is not enough memory: %s", strerror(errno));
	memcpy(shared->self, self, size);
	bool done = keeper_do(shared, work, progress, UINT64_MAX) && shared->done;
	*copy = shared->copy;
	copy->late = !done && !shared->err.set && !copy->threads;
	memcpy(self, shared->self, size);
	if (shared->err.set)
		*err = shared->err;
	else if (!done)
		err_set(err, "The copy was ended before it was whole, by a signal or as the process could "
		             "not be stopped in time. The process goes on");
	if (!done && undo)
		keeper_do(shared, undo, NULL, clock_now() + UNDONE_MS * UINT64_C(1000000));
	munmap(shared, sizeof *shared + size);
	return done;
}
