#include "base/guard.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

enum { STATUS = 2 };

/* the library that this thread executes, or NULL */
static _Thread_local const char *volatile inside;

static const int guarded[] = {SIGSEGV, SIGABRT, SIGFPE};
enum { GUARDED = sizeof guarded / sizeof *guarded };

static struct {
	atomic_flag installed;
	struct sigaction before[GUARDED]; /* of the same number in guarded[] */
} guard = {.installed = ATOMIC_FLAG_INIT};

static void guard_tell(void)
{
	if (errno == ENOMEM)
		fputs("goheapx: out of memory.\n", stderr);
	else
		fprintf(stderr,
		        "goheapx: The library %s has crashed: the file that it was reading may be "
		        "damaged.\n",
		        inside);
}

/* The fault is in the library, not in the C library, so calling exit() here is safe in practice. */
static void guard_handle(int number)
{
	if (inside) {
		guard_tell();
		exit(STATUS);
	}
	for (int i = 0; i < GUARDED; i++)
		if (guarded[i] == number)
			sigaction(number, &guard.before[i], NULL);
	raise(number); /* delivered when this handler returns */
}

/* Runs after the explorer installed its own handlers, which would end the program by the signal. */
static void guard_install(void)
{
	struct sigaction action = {.sa_handler = guard_handle};
	int saved = errno;
	if (atomic_flag_test_and_set(&guard.installed))
		return;
	sigemptyset(&action.sa_mask);
	for (int i = 0; i < GUARDED; i++)
		sigaction(guarded[i], &action, &guard.before[i]);
	errno = saved;
}

const char *guard_enter(const char *library)
{
	const char *before = inside;
	guard_install();
	inside = library;
	return before;
}

void guard_leave(const char *before)
{
	inside = before;
}
