#include "ui/history_file.h"

#include "base/buf.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { KEPT = 64 * 1024, TOO_LONG = 2 * KEPT };

/* Appends the directory of the history, and creates it if it is missing. False: there is no home
   directory. */
static bool folder(struct buf *path)
{
	const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
	if (state && *state == '/')
		buf_add(path, state);
	else if (home && *home == '/')
		buf_addf(path, "%s/.local/state", home);
	else
		return false;
	buf_add(path, "/goheapx");
	for (char *slash = path->data + 1; (slash = strchr(slash, '/')) != NULL; slash++) {
		*slash = '\0';
		mkdir(path->data, 0700);
		*slash = '/';
	}
	mkdir(path->data, 0700);
	return true;
}

/* Opens the history. A pipe or a device in its place is not used, because it could block. */
static int open_file(int flags)
{
	struct stat info;
	struct buf path = {0};
	int fd = -1;
	if (folder(&path)) {
		buf_add(&path, "/history");
		fd =
			open(path.data, flags | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, 0600);
	}
	if (fd >= 0 && (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode))) {
		close(fd);
		fd = -1;
	}
	buf_free(&path);
	return fd;
}

/* Reads the last KEPT bytes of the file, from the start of a line on. */
static void read_tail(int fd, struct buf *text)
{
	static char piece[KEPT];
	off_t size = lseek(fd, 0, SEEK_END);
	off_t start = size > KEPT ? size - KEPT : 0;
	ssize_t len = pread(fd, piece, KEPT, start);
	char *from = piece;
	if (len > 0 && start > 0) {
		from = memchr(piece, '\n', (size_t)len);
		from = from ? from + 1 : piece + len;
	}
	if (len > 0)
		buf_add_bytes(text, from, (size_t)(piece + len - from));
	if (size > TOO_LONG && ftruncate(fd, 0) == 0 && pwrite(fd, buf_text(text), text->len, 0) < 0)
		buf_clear(text);
}

void history_file_load(void (*line)(void *self, char kind, const char *text), void *self)
{
	int fd = open_file(O_RDWR);
	if (fd < 0)
		return;
	struct buf text = {0};
	read_tail(fd, &text);
	close(fd);
	char *at = text.data;
	for (char *end; at && (end = strchr(at, '\n')) != NULL; at = end + 1) {
		*end = '\0';
		if (end - at > 1)
			line(self, *at, at + 1);
	}
	buf_free(&text);
}

void history_file_add(char kind, const char *text)
{
	int fd = open_file(O_WRONLY | O_APPEND);
	if (fd < 0)
		return;
	struct buf line = {0};
	buf_addf(&line, "%c%s\n", kind, text);
	ssize_t wrote = write(fd, line.data, line.len); /* one write: other sessions append, too */
	(void)wrote;
	close(fd);
	buf_free(&line);
}
