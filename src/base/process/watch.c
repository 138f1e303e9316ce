/* PTRACE_SEIZE blocks while the process is in exec(), and exec() blocks until the tracer has reaped
   the threads that it ends: a timer reaps them whatever this program is doing. The signal of
   another timer is SIGKILL, since a thread that waits in the kernel may react to no other. */
#include "watch.h"

#include "base/clock.h"
#include "base/mem.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>

enum {
	LOOK_US = 5000,
	LOOKS = 500, /* threads at a time: 10,000 are looked at within a tenth of a second */
	WAIT_NS = 50000,
	HURRY_MS = 150,
};

static struct {
	pid_t *thread;
	size_t count, capacity, next;
	timer_t killer;
	bool made, looks;
	unsigned allowed; /* ms of the deadline; 0: none */
	volatile sig_atomic_t hurried;
} watch;

/* Reaps a thread if it has ended; WNOWAIT leaves a stop of it to whoever waits for that. Returns
   false if there is nothing to tell. */
static bool watch_reap(idtype_t kind, pid_t id)
{
	siginfo_t told = {0};
	if (waitid(kind, (id_t)id, &told, WEXITED | WNOHANG | WNOWAIT | __WALL) != 0 || !told.si_pid)
		return false;
	bool ended = told.si_code == CLD_EXITED || told.si_code == CLD_KILLED
	             || told.si_code == CLD_DUMPED;
	return !ended || waitpid(told.si_pid, NULL, WNOHANG | __WALL) == told.si_pid;
}

/* Reaps traced threads that have ended. A stop of one thread hides the ends of others from who asks
   for any: they are asked for one by one, some each time. */
static void watch_look(int number)
{
	(void)number;
	int before = errno;
	if (watch_reap(P_ALL, 0))
		for (size_t i = 0; i < watch.count && i < LOOKS; i++)
			watch_reap(P_PID, watch.thread[watch.next++ % watch.count]);
	errno = before;
}

static void watch_look_often(bool on)
{
	const struct itimerval times = {{0, on ? LOOK_US : 0}, {0, on ? LOOK_US : 0}};
	struct sigaction action = {.sa_handler = watch_look};
	sigset_t only;
	sigemptyset(&only);
	sigaddset(&only, SIGALRM);
	if (on) {
		sigaction(SIGALRM, &action, NULL);
		sigprocmask(SIG_UNBLOCK, &only, NULL);
	}
	setitimer(ITIMER_REAL, &times, NULL);
}

static void watch_arm(unsigned ms)
{
	const struct itimerspec left = {.it_value = {ms / 1000, (long)(ms % 1000) * 1000000}};
	if (watch.made)
		timer_settime(watch.killer, 0, &left, NULL);
}

void watch_allow(unsigned ms)
{
	struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGKILL};
	if (!watch.made)
		watch.made = timer_create(CLOCK_MONOTONIC, &event, &watch.killer) == 0;
	watch.allowed = ms;
	watch_arm(watch.hurried && ms > HURRY_MS ? HURRY_MS : ms);
	if (watch.looks != (ms > 0))
		watch_look_often(ms > 0);
	watch.looks = ms > 0;
	if (!ms)
		watch.count = 0;
}

void watch_thread(pid_t id)
{
	sigset_t look, before;
	sigemptyset(&look);
	sigaddset(&look, SIGALRM);
	sigprocmask(SIG_BLOCK, &look, &before);
	MEM_PUSH(watch.thread, watch.count, watch.capacity, id);
	sigprocmask(SIG_SETMASK, &before, NULL);
}

void watch_hurry(void)
{
	watch.hurried = true;
	if (watch.allowed > HURRY_MS)
		watch_arm(HURRY_MS);
}

bool watch_is_hurried(void)
{
	return watch.hurried;
}

bool watch_wait(pid_t id, int *status, unsigned ms)
{
	const struct timespec pause = {0, WAIT_NS};
	uint64_t end = clock_now() + ms * UINT64_C(1000000);
	for (;;) {
		pid_t got = waitpid(id, status, WNOHANG | __WALL);
		if (got == id)
			return true;
		if ((got < 0 && errno != EINTR) || clock_now() > end)
			return false;
		nanosleep(&pause, NULL);
	}
}
