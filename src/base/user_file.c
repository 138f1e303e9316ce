#include "base/user_file.h"

#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { PATH_SHOWN = 200, LOCK_TRIES = 100, LOCK_WAIT_MS = 20 };

bool user_folder(struct buf *path, enum user_folder folder)
{
	static const struct {
		const char *variable, *below_home;
	} folders[USER_FOLDERS] = {
		[USER_CONFIG] = {"XDG_CONFIG_HOME", "/.config"},
		[USER_STATE] = {"XDG_STATE_HOME", "/.local/state"},
		[USER_CACHE] = {"XDG_CACHE_HOME", "/.cache"},
	};
	const char *named = getenv(folders[folder].variable), *home = getenv("HOME");
	if (named && *named == '/')
		buf_add(path, named);
	else if (home && *home == '/')
		buf_addf(path, "%s%s", home, folders[folder].below_home);
	else
		return false;
	buf_add(path, "/goheapx");
	return true;
}

void user_folder_make(struct buf *path)
{
	const char *home = getenv("HOME");
	size_t len = home ? strlen(home) : 0;
	if (len && strncmp(path->data, home, len) == 0 && access(home, F_OK) != 0)
		return;
	for (char *slash = path->data + 1; (slash = strchr(slash, '/')) != NULL; slash++) {
		*slash = '\0';
		mkdir(path->data, 0700);
		*slash = '/';
	}
	mkdir(path->data, 0700);
}

/* Reports a file that cannot be used, and keeps errno. */
static int user_file_fail(const char *path, int why, const char *reason, struct err *err)
{
	SCOPED_BUF shown = {0};
	text_add_escaped(&shown, path, strlen(path), PATH_SHOWN);
	err_set(err, "%s cannot be used: %s", buf_text(&shown), reason);
	errno = why;
	return -1;
}

int user_file_open(const char *path, int flags, struct err *err)
{
	struct stat info;
	int fd = open(path, flags | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0600);
	if (fd < 0)
		return user_file_fail(path, errno, strerror(errno), err);
	if (fstat(fd, &info) == 0 && S_ISREG(info.st_mode))
		return fd;
	close(fd);
	return user_file_fail(path, EINVAL, "it is not a regular file", err);
}

bool user_file_lock(int fd)
{
	const struct timespec wait = {.tv_nsec = LOCK_WAIT_MS * 1000000L};
	for (int i = 0; i < LOCK_TRIES; i++) {
		if (flock(fd, LOCK_EX | LOCK_NB) == 0)
			return true;
		if (errno != EWOULDBLOCK && errno != EINTR)
			return false;
		nanosleep(&wait, NULL);
	}
	return false;
}

bool user_file_read(const char *path, size_t most, struct buf *text, struct err *err)
{
	char piece[4096];
	size_t begin = text->len;
	int fd = user_file_open(path, O_RDONLY, err);
	if (fd < 0)
		return false;
	ssize_t len;
	while ((len = read(fd, piece, sizeof piece)) != 0 && text->len - begin <= most)
		if (len > 0)
			buf_add_bytes(text, piece, (size_t)len);
		else if (errno != EINTR)
			break;
	int why = len < 0 ? errno : 0;
	close(fd);
	if (why)
		user_file_fail(path, why, strerror(why), err);
	else if (text->len - begin > most)
		user_file_fail(path, EFBIG, "it is too long", err);
	else
		return true;
	buf_truncate(text, begin);
	return false;
}
