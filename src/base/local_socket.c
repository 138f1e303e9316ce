#include "base/local_socket.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

enum { BACKLOG = 8 };
static const char local_socket_name[] = "goheapx-%" PRIdMAX ".sock";

/* Returns true if nobody else can create or replace files in a folder of this user. */
static bool local_socket_is_safe(const char *folder, mode_t denied)
{
	struct stat info;
	return lstat(folder, &info) == 0 && S_ISDIR(info.st_mode) && info.st_uid == geteuid()
	       && !(info.st_mode & denied);
}

bool local_socket_folder(struct buf *path, struct err *err)
{
	const char *runtime = getenv("XDG_RUNTIME_DIR"), *temporary = getenv("TMPDIR");
	if (runtime && *runtime == '/' && local_socket_is_safe(runtime, 022)) {
		buf_add(path, runtime);
		return true;
	}
	size_t begin = path->len;
	buf_addf(path, "%s/goheapx-%ju", temporary && *temporary == '/' ? temporary : "/tmp",
	         (uintmax_t)geteuid());
	mkdir(path->data + begin, 0700);
	return local_socket_is_safe(path->data + begin, 077)
	       || err_set(err,
	                  "%.200s is not a folder of your own with mode 0700, for sockets: set "
	                  "XDG_RUNTIME_DIR to one",
	                  path->data + begin);
}

bool local_socket_path(pid_t pid, struct buf *path, struct err *err)
{
	if (!local_socket_folder(path, err))
		return false;
	buf_add_char(path, '/');
	buf_addf(path, local_socket_name, (intmax_t)pid);
	return true;
}

pid_t local_socket_process(const char *name)
{
	char same[64];
	intmax_t pid = 0;
	if (sscanf(name, local_socket_name, &pid) != 1 || pid <= 0 || pid > INT32_MAX)
		return 0;
	snprintf(same, sizeof same, local_socket_name, pid);
	return strcmp(same, name) == 0 ? (pid_t)pid : 0;
}

static bool local_socket_address(const char *path, struct sockaddr_un *address, struct err *err)
{
	*address = (struct sockaddr_un){.sun_family = AF_UNIX};
	if (strlen(path) >= sizeof address->sun_path)
		return err_set(err,
		               "The path of a socket has %zu bytes at most, and %.200s has more: set "
		               "XDG_RUNTIME_DIR to a folder with a shorter path",
		               sizeof address->sun_path - 1, path);
	memcpy(address->sun_path, path, strlen(path));
	return true;
}

/* Removes the socket of a process that had the same number as this one. */
static void local_socket_remove_old(const char *path)
{
	struct stat info;
	if (lstat(path, &info) == 0 && S_ISSOCK(info.st_mode) && info.st_uid == geteuid())
		unlink(path);
}

int local_socket_listen(struct buf *path, struct err *err)
{
	struct sockaddr_un address;
	if (!local_socket_path(getpid(), path, err)
	    || !local_socket_address(buf_text(path), &address, err))
		return -1;
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	local_socket_remove_old(address.sun_path);
	mode_t mask = umask(0177);
	bool bound = fd >= 0 && bind(fd, (struct sockaddr *)&address, sizeof address) == 0;
	umask(mask);
	if (bound && listen(fd, BACKLOG) == 0)
		return fd;
	err_set(err, "The socket %.200s cannot be made: %s", address.sun_path, strerror(errno));
	if (bound)
		unlink(address.sun_path);
	if (fd >= 0)
		close(fd);
	return -1;
}

/* Returns true if the other end is a process of this user. */
static bool local_socket_is_own(int fd)
{
	struct ucred other;
	socklen_t size = sizeof other;
	return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &other, &size) == 0 && size == sizeof other
	       && other.uid == geteuid();
}

int local_socket_accept(int listening)
{
	int fd;
	while ((fd = accept4(listening, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK)) >= 0) {
		if (local_socket_is_own(fd))
			return fd;
		close(fd);
	}
	return -1;
}

int local_socket_connect(const char *path, int seconds, struct err *err)
{
	struct sockaddr_un address;
	const struct timeval wait = {.tv_sec = seconds};
	if (!local_socket_address(path, &address, err))
		return -1;
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd >= 0 && setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &wait, sizeof wait) == 0
	    && setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof wait) == 0
	    && connect(fd, (struct sockaddr *)&address, sizeof address) == 0) {
		if (local_socket_is_own(fd))
			return fd;
		errno = EPERM;
	}
	int why = errno;
	err_set(err, "No explorer answers at %.200s: %s", path, strerror(why));
	if (fd >= 0)
		close(fd);
	errno = why;
	return -1;
}
