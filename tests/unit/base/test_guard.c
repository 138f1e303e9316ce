/* Guarded library calls: a crash in a library ends the program with a message. */
#include "cmocka_all.h"

#include "base/guard.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void crash(void)
{
	raise(SIGSEGV);
}

static void lack_memory(void)
{
	errno = ENOMEM;
	raise(SIGABRT);
}

static void work(void)
{
	guard_leave(guard_enter("inner"));
	exit(0);
}

/* Runs a function in a child process as the library "lib". Returns its status; *said receives its
   output. */
static int ends(void (*library)(void), bool guarded, char *said, size_t size)
{
	int out[2], status;
	assert_int_equal(pipe(out), 0);
	pid_t child = fork();
	if (child == 0) {
		dup2(out[1], STDERR_FILENO);
		signal(SIGSEGV, SIG_DFL); /* not cmocka's handler */
		signal(SIGABRT, SIG_DFL);
		const char *before = guard_enter("lib");
		errno = 0;
		if (!guarded || library == work)
			guard_leave(before);
		library();
		_exit(77);
	}
	close(out[1]);
	ssize_t len = read(out[0], said, size - 1);
	said[len > 0 ? len : 0] = '\0';
	close(out[0]);
	assert_int_equal(waitpid(child, &status, 0), child);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

TEST(what_a_library_does_is_told)
{
	char said[1000];
	assert_int_equal(ends(crash, true, said, sizeof said), 2);
	assert_non_null(strstr(said, "goheapx: The library lib has crashed"));
	assert_int_equal(ends(lack_memory, true, said, sizeof said), 2);
	assert_string_equal(said, "goheapx: out of memory.\n");
}

TEST(the_program_itself_is_not_guarded)
{
	char said[1000];
	assert_int_equal(ends(work, true, said, sizeof said), 0);
	assert_string_equal(said, "");
	int status = ends(crash, false, said, sizeof said);
	assert_int_not_equal(status, 2);
	assert_int_not_equal(status, 77);
}
