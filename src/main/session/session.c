/* The owner's side of a session: sends questions over a socket pair, and hears how they end. */
#include "main/session/session.h"

#include "base/clock.h"
#include "base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
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
	struct session_input reads;
	struct buf files;  /* as they were before it read them */
	struct buf mapped; /* paths of those that it has mapped, and */
	struct buf states; /* their states when it had */
};

bool session_is_same(const struct session *session, struct err *err)
{
	SCOPED_BUF files = {0}, states = {0};
	session_add_files(&session->reads, &files);
	session_add_states(buf_text(&session->mapped), &states);
	return session_files_same(buf_text(&session->files), buf_text(&files), err)
	       && session_files_same(buf_text(&session->states), buf_text(&states), err);
}

uint64_t session_memory(const struct session *session)
{
	char path[64];
	uint64_t resident = 0, shared = 0;
	snprintf(path, sizeof path, "/proc/%d/statm", (int)session->process);
	FILE *file = session->process ? fopen(path, "re") : NULL;
	if (file && fscanf(file, "%*s %" SCNu64 " %" SCNu64, &resident, &shared) != 2)
		resident = shared = 0;
	if (file)
		fclose(file);
	return resident > shared ? (resident - shared) * (uint64_t)sysconf(_SC_PAGESIZE) : 0;
}

static void session_forget(struct session *session)
{
	for (size_t i = 0; i < session->reads.count; i++)
		free((char *)(uintptr_t)session->reads.dump[i]);
	free((char **)(uintptr_t)session->reads.dump);
	free((char *)(uintptr_t)session->reads.exe);
	buf_free(&session->files);
	buf_free(&session->mapped);
	buf_free(&session->states);
	if (session->socket >= 0)
		close(session->socket);
	free(session);
}

/* Copies what is to be read: all dumps, or none if one is no regular file. */
static void session_copy(struct session *session, const struct session_input *input)
{
	struct stat info;
	struct session_input *reads = &session->reads;
	const char **dump = mem_alloc((input->count + 1) * sizeof *dump);
	*reads = (struct session_input){
		.dump = dump, .hidden = input->hidden, .cached = input->cached, .quoted = input->quoted};
	reads->exe = input->exe ? mem_strdup(input->exe) : NULL;
	for (size_t i = 0; i < input->count; i++)
		if (stat(input->dump[i], &info) != 0 || !S_ISREG(info.st_mode))
			return;
	for (; reads->count < input->count; reads->count++)
		dump[reads->count] = mem_strdup(input->dump[reads->count]);
	session_add_files(reads, &session->files);
}

struct session *session_new(const struct session_input *input, struct err *err)
{
	int ends[2];
	pid_t owner = getpid();
	struct session *session = mem_alloc(sizeof *session);
	*session = (struct session){.socket = -1};
	session_copy(session, input);
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) == 0) {
		session->socket = ends[0];
		session->process = fork();
		if (session->process == 0) {
			close(ends[0]);
			session_run(&session->reads, owner, ends[1]);
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

/* Sends one byte with descriptors. */
static bool session_send(const struct session *session, const int fd[SESSION_FDS])
{
	union {
		struct cmsghdr header; /* aligns */
		char bytes[CMSG_SPACE(SESSION_FDS * sizeof *fd)];
	} control = {.bytes = {0}};
	struct iovec one = {&(char){0}, 1};
	struct msghdr message = {.msg_iov = &one,
	                         .msg_iovlen = 1,
	                         .msg_control = control.bytes,
	                         .msg_controllen = sizeof control.bytes};
	struct cmsghdr *header = CMSG_FIRSTHDR(&message);
	header->cmsg_level = SOL_SOCKET;
	header->cmsg_type = SCM_RIGHTS;
	header->cmsg_len = CMSG_LEN(SESSION_FDS * sizeof *fd);
	memcpy(CMSG_DATA(header), fd, SESSION_FDS * sizeof *fd);
	ssize_t sent;
	do
		sent = sendmsg(session->socket, &message, MSG_NOSIGNAL);
	while (sent < 0 && errno == EINTR);
	return sent > 0;
}

bool session_ask(struct session *session, int count, char **words, const struct session_io *io,
                 struct err *err)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	int fd[SESSION_FDS] = {session_write(count, words), io->in, io->out, io->errors, io->opened};
	for (int i = 0; i < SESSION_FDS; i++)
		if (fd[i] < 0 && i != SESSION_WORDS)
			fd[i] = null;
	session->question = 0;
	bool sent = fd[SESSION_WORDS] >= 0 && null >= 0 && session_send(session, fd);
	if (!sent)
		err_set(err, "The question cannot be asked: %s", strerror(errno));
	if (!sent && session->process) { /* it was killed */
		kill(session->process, SIGKILL);
		session_end(session);
	}
	if (fd[SESSION_WORDS] >= 0)
		close(fd[SESSION_WORDS]);
	if (null >= 0)
		close(null);
	return sent;
}

/* Notes what a session has mapped, once it has read its dumps. */
static void session_map(struct session *session)
{
	if (session->mapped.len || !session->reads.count)
		return;
	session_add_mapped(session->process, &session->mapped);
	session_add_states(buf_text(&session->mapped), &session->states);
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
	session_map(session);
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
