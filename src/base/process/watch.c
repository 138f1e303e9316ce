/* PTRACE_SEIZE blocks while the process is in exec(), and exec() blocks until the tracer has reaped
   the threads that it ends: a timer reaps them whatever this program is doing. The signal of
   another timer is SIGKILL, since a thread that waits in the kernel may react to no other. */
#include "watch.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>

enum { LOOK_US = 5000 };

/* Reaps traced threads that have ended. waitid may also report a stop of a thread, which must be
   left to whoever waits for that thread, so WNOWAIT only peeks at it. It hides no other thread,
   since threads are stopped one by one. */
static void watch_look(int number)
{
	(void)number;
	int before = errno;
	for (;;) {
		siginfo_t ended = {0};
		if (waitid(P_ALL, 0, &ended, WEXITED | WNOHANG | WNOWAIT | __WALL) != 0 || !ended.si_pid
		    || (ended.si_code != CLD_EXITED && ended.si_code != CLD_KILLED
		        && ended.si_code != CLD_DUMPED)
		    || waitpid(ended.si_pid, NULL, WNOHANG | __WALL) != ended.si_pid)
			break;
	}
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

void watch_allow(unsigned ms)
{
	static timer_t killer;
	static bool made, looks;
	struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGKILL};
	const struct itimerspec left = {.it_value = {ms / 1000, (long)(ms % 1000) * 1000000}};
	if (!made)
		made = timer_create(CLOCK_MONOTONIC, &event, &killer) == 0;
	if (made)
		timer_settime(killer, 0, &left, NULL);
	if (looks != (ms > 0))
		watch_look_often(ms > 0);
	looks = ms > 0;
}

_Bool watch_wait(pid_t id, int *status)
{
	pid_t got;
	do
		got = waitpid(id, status, __WALL);
	while (got < 0 && errno == EINTR);
	return got == id;
}
