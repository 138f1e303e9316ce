/* Copies a process: while it is stopped, or from a fork of it. */
#include "copy.h"
#include "exit_code.h"
#include "forbidden.h"
#include "inject.h"
#include "keeper.h"
#include "limits.h"
#include "stuck.h"
#include "watch.h"

#include "base/text.h"

#include <stdio.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

enum {
	FORK_TRIES = 20,
	FORK_BETWEEN_NS = 5000000,
	STOP_TRIES = 3,
	COPY_MS = 20000, /* to find out what is in memory */
};

/* Checks before the process is stopped that its memory is within the limit and fits on the disk. */
static bool take_fits(pid_t pid, int fd, uint64_t bytes, uint64_t most, struct err *err)
{
	struct statvfs room;
	SCOPED_BUF text = {0};
	bool fits = !most || bytes <= most;
	text_add_size(&text, bytes);
	if (!fits)
		err_set(err, "Process %d has %s in memory, which is more than --max-size allows", (int)pid,
		        buf_text(&text));
	else if (fstatvfs(fd, &room) == 0 && room.f_blocks && room.f_bavail * room.f_frsize < bytes)
		fits = err_set(err,
		               "Process %d has %s in memory, and there is no room for that where the copy "
		               "is written: TMPDIR names another folder, and snapshot -o another file",
		               (int)pid, buf_text(&text));
	return fits;
}

struct taking {
	pid_t pid;
	int fd;
	uint64_t bytes; /* about what the copy takes */
	int exe;        /* its executable; -1: it cannot be read */
	bool fork;      /* it is copied from a fork of itself */
	struct forked forked;
	bool call_waits; /* the call that makes the fork did not return in time */
};

static bool take_stopped(void *self, struct process_copy *copy, struct progress *progress,
                         struct err *err)
{
	const struct taking *t = self;
	struct stopped stopped;
	struct buf threads = {0};
	struct staging staging;
	struct unchanged unchanged = {.exe = t->exe};
	staging_init(&staging, t->fd, t->bytes);
	bool done = stop_process(&stopped, t->pid, &copy->stuck, err);
	if (done) {
		watch_allow(COPY_MS);
		copy->pid = t->pid;
		copy->threads = (unsigned)stopped.count;
		copy_add_threads(&stopped, &threads);
		done = copy_memory(t->pid, &threads, &staging, &unchanged, copy, progress, err);
		copy->pause = let_go(&stopped);
		buf_free(&threads);
	}
	done = done && unchanged_write(&unchanged, t->pid, t->fd, copy, progress, err)
	       && copy_write(&staging, copy, progress, err);
	unchanged_free(&unchanged);
	staging_fini(&staging);
	return done;
}

#ifdef __x86_64__

/* Finds it while the process runs, as that is slow. There are moments of exec() in which it has no
   memory. */
static uint64_t find_exit_code(const struct taking *t)
{
	const struct timespec between = {0, FORK_BETWEEN_NS};
	uint64_t found = 0;
	for (int tries = 1; !(found = exit_code_find(t->pid, t->exe)) && tries < STOP_TRIES; tries++)
		nanosleep(&between, NULL);
	return found;
}

/* Stops the process and makes it fork. A busy process may have no sleeping thread at that moment:
   it is released, and stopped again a little later. */
static bool stop_and_fork(struct taking *t, struct stopped *stopped, pid_t *stuck, struct buf *why,
                          struct err *err)
{
	const struct timespec between = {0, FORK_BETWEEN_NS};
	uint64_t exit_code = find_exit_code(t);
	for (int tries = 1;; tries++) {
		why->len = 0;
		if (!stop_process(stopped, t->pid, stuck, err))
			return false;
		enum injected result = inject_fork(stopped, exit_code, &t->forked, why);
		t->call_waits = result == INJECT_STUCK;
		if (result != INJECT_LATER || tries == FORK_TRIES)
			return !t->call_waits;
		let_go(stopped);
		nanosleep(&between, NULL);
	}
}

static bool copy_fork(struct taking *t, struct process_copy *copy, struct buf *why,
                      struct progress *progress, struct err *err)
{
	struct stopped stopped;
	SCOPED_BUF threads = {0};
	struct staging none;
	struct unchanged unchanged = {.exe = t->exe};
	inject_reap_left(t->pid, false);
	if (!stop_and_fork(t, &stopped, &copy->stuck, why, err))
		return false;
	copy->forked = t->forked.pid;
	copy->pid = t->pid;
	copy->threads = (unsigned)stopped.count;
	copy_add_threads(&stopped, &threads);
	copy->pause = let_go(&stopped);
	staging_init(&none, t->fd, 0);
	bool done = copy->forked
	            && copy_memory(t->forked.pid, &threads, &none, &unchanged, copy, progress, err)
	            && unchanged_write(&unchanged, t->forked.pid, t->fd, copy, progress, err);
	unchanged_free(&unchanged);
	if (copy->forked)
		copy->left = !inject_end(t->pid, &t->forked);
	return copy->forked ? done && copy_write(&none, copy, progress, err)
	                    : take_stopped(t, copy, progress, err);
}

static bool take_fork(void *self, struct process_copy *copy, struct progress *progress,
                      struct err *err)
{
	struct taking *t = self;
	SCOPED_BUF why = {0};
	bool done = forbidden_process(t->pid, &why) ? take_stopped(self, copy, progress, err)
	                                            : copy_fork(t, copy, &why, progress, err);
	if (!copy->forked)
		snprintf(copy->not_forked, sizeof copy->not_forked, "%s", buf_text(&why));
	return done;
}

/* Cleans up after a keeper that was killed, and the fork with it. */
static bool take_undo(void *self, struct process_copy *copy, struct progress *progress,
                      struct err *err)
{
	(void)copy, (void)progress, (void)err;
	const struct taking *t = self;
	if (t->forked.thread)
		inject_forget(&t->forked);
	inject_reap_left(t->pid, true);
	return true;
}

#endif

#ifdef __x86_64__

/* A call that does not return within its deadline is given up, and everything let go; the thread is
   made to forget it by take_undo. */
static bool take_forked(struct taking *taking, struct process_copy *copy, struct progress *progress,
                        struct err *err)
{
	struct err why = {0};
	taking->forked = (struct forked){0};
	taking->call_waits = false;
	bool done = keeper_run(take_fork, take_undo, taking, sizeof *taking, copy, progress, &why);
	if (done || !taking->call_waits || !progress_step(progress, 0)) {
		if (why.set)
			*err = why;
		return done;
	}
	taking->forked = (struct forked){0};
	taking->call_waits = false;
	done = keeper_run(take_stopped, NULL, taking, sizeof *taking, copy, progress, err);
	snprintf(copy->not_forked, sizeof copy->not_forked,
	         "the call that makes a process did not return within a second");
	return done;
}

#endif

static bool take_by_keeper(struct taking *taking, struct process_copy *copy,
                           struct progress *progress, struct err *err)
{
#ifdef __x86_64__
	if (taking->fork)
		return take_forked(taking, copy, progress, err);
#endif
	bool done = keeper_run(take_stopped, NULL, taking, sizeof *taking, copy, progress, err);
	if (taking->fork)
		snprintf(copy->not_forked, sizeof copy->not_forked,
		         "that is not known for this kind of machine");
	return done;
}

/* A thread that cannot be stopped now is waited for before the process is stopped again; one that
   is not run will not be soon. The same is tried again where not even this program was run in time.
 */
static bool take_tries(struct taking *taking, struct process_copy *copy, struct progress *progress,
                       struct err *err)
{
	pid_t pid = taking->pid, stuck = 0;
	struct err why = {0};
	for (int tries = 0; tries < STOP_TRIES; tries++) {
		why = (struct err){0};
		*copy = (struct process_copy){0};
		stuck = stuck_thread(pid, progress);
		if (!stuck && progress_step(progress, 0)) {
			if (take_by_keeper(taking, copy, progress, &why))
				return true;
			stuck = copy->stuck;
		}
		if (!stuck && !copy->late && why.set)
			break;
		if (!progress_step(progress, 0))
			return err_set(err, "Cancelled while the process was to be stopped");
		if (stuck_throttled(pid, stuck))
			break;
	}
	if (!stuck && why.set) {
		*err = why;
		return false;
	}
	return process_check(pid, err) && stuck_tell(pid, stuck, err);
}

bool process_copy(pid_t pid, int fd, const struct process_options *options,
                  struct process_copy *copy, struct progress *progress, struct err *err)
{
	struct taking taking = {
		.pid = pid, .fd = fd, .bytes = process_size(pid), .fork = options->fork};
	*copy = (struct process_copy){0};
	if (!take_fits(pid, fd, taking.bytes, options->most, err))
		return false;
	if (limits_frozen(pid, true))
		return stuck_tell_frozen(pid, err);
	taking.exe = unchanged_open_exe(pid);
	bool done = take_tries(&taking, copy, progress, err);
	if (taking.exe >= 0)
		close(taking.exe);
	return done;
}
