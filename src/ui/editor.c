#include "ui/editor.h"

#include "base/mem.h"
#include "ui/term.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* ---- Source files */

/* Tries a path. A relative path gets the prefix ./, because a name that begins with - or + would be
   an option. Only regular files count, because reading a pipe or device may block. */
static bool editor_try(const char *path, struct buf *found)
{
	struct stat file;
	buf_clear(found);
	buf_addf(found, "%s%s", *path == '/' ? "" : "./", path);
	return *path && stat(buf_text(found), &file) == 0 && S_ISREG(file.st_mode)
	       && access(buf_text(found), R_OK) == 0;
}

bool editor_find(const char *recorded, struct buf *path)
{
	if (editor_try(recorded, path))
		return true;
	for (const char *slash = strchr(recorded, '/'); slash; slash = strchr(slash + 1, '/'))
		if (slash[1] != '/' && editor_try(slash + 1, path))
			return true;
	buf_clear(path);
	return false;
}

/* ---- The editor */

/* Signals ignored while the editor runs: the terminal's keys are meant for the editor. */
enum { ASIDE = 3 };
static const int aside[ASIDE] = {SIGINT, SIGQUIT, SIGTSTP};

static int editor_spawn(char *const words[], pid_t *process)
{
	posix_spawnattr_t attributes;
	sigset_t usual;
	if (posix_spawnattr_init(&attributes) != 0)
		return errno;
	sigemptyset(&usual);
	for (size_t i = 0; i < ASIDE; i++)
		sigaddset(&usual, aside[i]);
	posix_spawnattr_setsigdefault(&attributes, &usual);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
	int why = posix_spawnp(process, words[0], NULL, &attributes, words, environ);
	posix_spawnattr_destroy(&attributes);
	return why;
}

/* They are ignored before the terminal is left, and until it is taken again: ^C is a signal then.
 */
static int editor_wait(char *const words[], int *status)
{
	struct sigaction before[ASIDE], ignored = {.sa_handler = SIG_IGN};
	pid_t process;
	int ended = 0;
	for (size_t i = 0; i < ASIDE; i++)
		sigaction(aside[i], &ignored, &before[i]);
	term_leave();
	int why = editor_spawn(words, &process);
	while (!why && waitpid(process, &ended, 0) < 0)
		why = errno == EINTR ? 0 : errno;
	term_take();
	for (size_t i = 0; i < ASIDE; i++)
		sigaction(aside[i], &before[i], NULL);
	*status = WIFEXITED(ended) ? WEXITSTATUS(ended) : 128 + WTERMSIG(ended);
	return why;
}

/* Runs the editor. The shell parses the user's variable, and gets the path only as an argument. */
bool editor_run(const char *path, uint64_t line, int *status, struct err *err)
{
	const char *visual = getenv("VISUAL"), *usual = getenv("EDITOR");
	const char *editor = visual && *visual ? visual : usual && *usual ? usual : "vi";
	bool word = !editor[strcspn(editor, " \t\n|&;<>()$`\\\"'*?[#~=%")];
	SCOPED_BUF script = {0}, place = {0};
	buf_addf(&script, "%s \"$@\"", editor);
	buf_addf(&place, "+%" PRIu64, line);
	char *words[] = {"/bin/sh", "-c", script.data, "sh", place.data, mem_strdup(path), NULL};
	char *file = words[5];
	if (word)
		words[3] = mem_strdup(editor);
	int why = editor_wait(words + (word ? 3 : 0), status);
	if (word)
		free(words[3]);
	free(file);
	return !why
	       || err_set(err, "The editor \"%.60s\" could not be started: %s", editor, strerror(why));
}
