/* The owner's side of a session: sends questions over a socket pair, and hears how they end. */
#include "main/session.h"

#include "base/clock.h"
#include "base/mem.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { STOP_MS = 2000 }; /* a session says within that time that its question has ended */

struct session {
	pid_t process; /* 0: it has ended */
	int socket;
	pid_t question; /* the process of the question that runs; 0: none, or it has not begun */
	struct session_file {
		char *path;
		struct stat then;
	} * file; /* what it reads */
	size_t count;
};

static bool session_file_is_same(const struct session_file *file, struct err *err)
{
	const struct stat *then = &file->then;
	struct stat now;
	if (stat(file->path, &now) != 0)
		return err_set(err, "%.200s: %s", file->path, strerror(errno));
	return (now.st_ino == then->st_ino && now.st_dev == then->st_dev && now.st_size == then->st_size
	        && now.st_mtim.tv_sec == then->st_mtim.tv_sec
	        && now.st_mtim.tv_nsec == then->st_mtim.tv_nsec)
	       || err_set(err, "%.200s was changed or replaced after it was read", file->path);
}

bool session_is_same(const struct session *session, struct err *err)
{
	for (size_t i = 0; i < session->count; i++)
		if (!session_file_is_same(&session->file[i], err))
			return false;
	return true;
}

static void session_forget(struct session *session)
{
	for (size_t i = 0; i < session->count; i++)
		free(session->file[i].path);
	free(session->file);
	if (session->socket >= 0)
		close(session->socket);
	free(session);
}

/* Remembers the files: all dumps, or none if one is no regular file. */
static void session_mark(struct session *session, const struct session_input *input)
{
	session->file = mem_alloc((input->count + 1) * sizeof *session->file);
	for (size_t i = 0; i < input->count; i++) {
		struct session_file *file = &session->file[session->count++];
		file->path = mem_strdup(input->dump[i]);
		if (stat(file->path, &file->then) == 0 && S_ISREG(file->then.st_mode))
			continue;
		while (session->count)
			free(session->file[--session->count].path);
		return;
	}
}

struct session *session_new(const struct session_input *input, struct err *err)
{
	int ends[2];
	struct session *session = mem_alloc(sizeof *session);
	*session = (struct session){.socket = -1};
	session_mark(session, input);
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) == 0) {
		session->socket = ends[0];
		session->process = fork();
		if (session->process == 0) {
			struct session_input reads = *input;
			reads.count = session->count;
			close(ends[0]);
			session_run(&reads, ends[1]);
		}
		close(ends[1]);
	}
	if (session->process > 0)
		return session;
	err_set(err, "The process that reads the dump cannot be started: %s", strerror(errno));
	session_forget(session);
	return NULL;
}

bool session_lives(const struct session *session)
{
	return session->process;
}

int session_fd(const struct session *session)
{
	return session->socket;
}

/* Waits for the end of the session's process. Returns its status. */
static int session_end(struct session *session)
{
	int status = 0;
	while (session->process && waitpid(session->process, &status, 0) < 0 && errno == EINTR)
		;
	session->process = 0;
	return status;
}

void session_free(struct session *session)
{
	if (!session)
		return;
	if (session->process)
		kill(session->process, SIGKILL); /* the question dies with it */
	session_end(session);
	session_forget(session);
}

/* Writes the words into a file in memory. Returns its descriptor, or -1. */
static int session_write(int count, char **words)
{
	int fd = memfd_create("question", MFD_CLOEXEC);
	for (int i = 0; i < count && fd >= 0; i++) {
		const char *at = words[i];
		size_t left = strlen(at) + 1;
		while (left && fd >= 0) {
			ssize_t wrote = write(fd, at, left);
			if (wrote < 0 && errno != EINTR) {
				close(fd);
				fd = -1;
			} else if (wrote > 0) {
				at += wrote;
				left -= (size_t)wrote;
			}
		}
	}
	return fd;
}

bool session_ask(struct session *session, int count, char **words, const int output[2],
                 struct err *err)
{
	int fd[SESSION_FDS] = {session_write(count, words), output[0], output[1]};
	union {
		struct cmsghdr header; /* aligns */
		char bytes[CMSG_SPACE(sizeof fd)];
	} control = {.bytes = {0}};
	struct iovec one = {&(char){0}, 1};
	struct msghdr message = {.msg_iov = &one,
	                         .msg_iovlen = 1,
	                         .msg_control = control.bytes,
	                         .msg_controllen = sizeof control.bytes};
	struct cmsghdr *header = CMSG_FIRSTHDR(&message);
	header->cmsg_level = SOL_SOCKET;
	header->cmsg_type = SCM_RIGHTS;
	header->cmsg_len = CMSG_LEN(sizeof fd);
	memcpy(CMSG_DATA(header), fd, sizeof fd);
	session->question = 0;
	ssize_t sent = -1;
	if (fd[SESSION_WORDS] >= 0)
		do
			sent = sendmsg(session->socket, &message, MSG_NOSIGNAL);
		while (sent < 0 && errno == EINTR);
	if (sent < 0)
		err_set(err, "The question cannot be asked: %s", strerror(errno));
	if (fd[SESSION_WORDS] >= 0)
		close(fd[SESSION_WORDS]);
	return sent > 0;
}

bool session_hear(struct session *session, int *status)
{
	struct session_message message;
	ssize_t got = recv(session->socket, &message, sizeof message, 0);
	if (got < 0 && errno == EINTR)
		return false;
	if (got != (ssize_t)sizeof message) { /* its end is closed */
		*status = session_end(session);
		return true;
	}
	session->question = message.ended ? 0 : message.question;
	*status = message.status;
	return message.ended;
}

bool session_is_reading(const struct session *session)
{
	return session->process && !session->question;
}

/* Returns true if there is something to hear, at once or soon. */
static bool session_says(const struct session *session)
{
	struct pollfd fd = {session->socket, POLLIN, 0};
	uint64_t until = clock_now() + (uint64_t)STOP_MS * 1000000, now;
	int ready = -1;
	while (ready < 0 && (now = clock_now()) < until) {
		ready = poll(&fd, 1, (int)((until - now) / 1000000) + 1);
		if (ready < 0 && errno != EINTR)
			break;
	}
	return ready > 0;
}

int session_stop(struct session *session)
{
	int status = 0;
	/* The session reaps the question after it has said so. */
	if (session->process)
		kill(session->question ? session->question : session->process, SIGKILL);
	while (session->process) {
		if (!session_says(session))
			kill(session->process, SIGKILL); /* it is stopped itself */
		if (session_hear(session, &status))
			break;
	}
	return status;
}
