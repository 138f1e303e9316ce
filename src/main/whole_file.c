#include "main/whole_file.h"

#include "base/buf.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TRIES = 100 };

static const int ends[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};

static struct buf part; /* its name until it is whole; empty: it has none */

static void whole_file_interrupted(int number)
{
	unlink(part.data);
	signal(number, SIG_DFL);
	raise(number);
}

/* No signal of those ends the program from here to the other call. */
static void hold_signals(bool hold)
{
	sigset_t set;
	sigemptyset(&set);
	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
		sigaddset(&set, ends[i]);
	sigprocmask(hold ? SIG_BLOCK : SIG_UNBLOCK, &set, NULL);
}

static int open_named(const char *path)
{
	buf_addf(&part, "%s.XXXXXX", path);
	hold_signals(true);
	int fd = mkostemp(part.data, O_CLOEXEC);
	for (size_t i = 0; fd >= 0 && i < sizeof ends / sizeof *ends; i++)
		if (signal(ends[i], whole_file_interrupted) == SIG_IGN)
			signal(ends[i], SIG_IGN);
	hold_signals(false);
	if (fd < 0)
		buf_free(&part);
	return fd;
}

int whole_file_open(const char *path, struct err *err)
{
	const char *slash = strrchr(path, '/');
	struct buf folder = {0};
	buf_add_bytes(&folder, path, slash ? (size_t)(slash - path) + 1 : 0);
	int fd = open(slash ? buf_text(&folder) : ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	buf_free(&folder);
	if (fd < 0)
		fd = open_named(path);
	if (fd < 0)
		err_set(err, "%.200s cannot be written: %s", path, strerror(errno));
	return fd;
}

/* Linking does not replace: it goes by a name of its own, for a moment. */
static bool link_and_rename(const char *file, const char *path)
{
	struct buf name = {0};
	bool linked = false, done;
	for (int i = 0; i < TRIES && !linked && (i == 0 || errno == EEXIST); i++) {
		buf_clear(&name);
		buf_addf(&name, "%s.%d.%d", path, (int)getpid(), i);
		linked = linkat(AT_FDCWD, file, AT_FDCWD, buf_text(&name), AT_SYMLINK_FOLLOW) == 0;
	}
	done = linked && rename(buf_text(&name), path) == 0;
	int error = errno;
	if (linked && !done)
		unlink(buf_text(&name));
	buf_free(&name);
	errno = error;
	return done;
}

bool whole_file_name(int fd, const char *path)
{
	char self[64];
	snprintf(self, sizeof self, "/proc/self/fd/%d", fd);
	hold_signals(true);
	bool done = part.len ? rename(part.data, path) == 0 : link_and_rename(self, path);
	if (done)
		buf_free(&part);
	hold_signals(false);
	return done;
}

bool whole_file_close(int fd)
{
	bool closed = close(fd) == 0;
	hold_signals(true);
	if (part.len)
		unlink(part.data);
	buf_free(&part);
	hold_signals(false);
	return closed;
}
