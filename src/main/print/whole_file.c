#include "main/print/whole_file.h"

#include "base/buf.h"
#include "base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TRIES = 100 };

static struct buf part; /* temporary name; empty: the file is unnamed */

static void whole_file_interrupted(int number)
{
	unlink(part.data);
	end_signals_default(number);
}

bool whole_file_is_other(const char *path)
{
	struct stat info;
	return stat(path, &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode);
}

/* Returns where the file is that a link leads to; the path itself if there is none. */
static char *whole_file_real(const char *path)
{
	char *real = realpath(path, NULL);
	return real ? real : mem_strdup(path);
}

static int open_named(const char *path)
{
	buf_addf(&part, "%s.XXXXXX", path);
	end_signals_hold(true);
	int fd = mkostemp(part.data, O_CLOEXEC);
	if (fd >= 0)
		end_signals_handle(whole_file_interrupted);
	end_signals_hold(false);
	if (fd < 0)
		buf_free(&part);
	return fd;
}

int whole_file_open(const char *path, struct err *err)
{
	if (whole_file_is_other(path)) {
		err_set(err, "%.200s is no file, and is left as it is", path);
		return -1;
	}
	SCOPED_FREE char *real = whole_file_real(path);
	const char *slash = strrchr(real, '/');
	SCOPED_BUF folder = {0};
	buf_add_bytes(&folder, real, slash ? (size_t)(slash - real) + 1 : 0);
	int fd = open(slash ? buf_text(&folder) : ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	if (fd < 0)
		fd = open_named(real);
	if (fd < 0)
		err_set(err, "%.200s cannot be written: %s", path, strerror(errno));
	return fd;
}

/* Gives an unnamed file its name. A link cannot replace a file, so it links to a temporary name and
   renames that. */
static bool link_and_rename(const char *file, const char *path)
{
	SCOPED_BUF name = {0};
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
	errno = error;
	return done;
}

bool whole_file_name(int fd, const char *path)
{
	char self[64];
	SCOPED_FREE char *real = whole_file_real(path);
	snprintf(self, sizeof self, "/proc/self/fd/%d", fd);
	end_signals_hold(true);
	bool done = part.len ? rename(part.data, real) == 0 : link_and_rename(self, real);
	if (done)
		buf_free(&part);
	end_signals_hold(false);
	return done;
}

bool whole_file_close(int fd)
{
	bool closed = close(fd) == 0;
	end_signals_hold(true);
	if (part.len)
		unlink(part.data);
	buf_free(&part);
	end_signals_hold(false);
	return closed;
}
