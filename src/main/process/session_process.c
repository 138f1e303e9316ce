/* The process of a session: reads the dumps, then forks for each question, one after the other. */
#include "main/session/session.h"

#include "base/mem.h"
#include "main/commands.h"
#include "main/print/output.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- A question */

/* Reads the words into an array with NULL at its end, which stays. NULL: they cannot be read. */
static char **question_words(int fd, int *count)
{
	struct stat file;
	size_t capacity = 0, words = 0;
	char **word = NULL;
	if (fstat(fd, &file) != 0 || file.st_size <= 0)
		return NULL;
	size_t size = (size_t)file.st_size;
	char *text = mem_alloc(size + 1), *at = text;
	if (pread(fd, text, size, 0) != (ssize_t)size)
		return NULL;
	for (; at < text + size; at += strlen(at) + 1)
		MEM_PUSH(word, words, capacity, at);
	*count = (int)words;
	MEM_PUSH(word, words, capacity, NULL);
	return word;
}

/* The process of a question: it ends with the session. */
__attribute__((noreturn)) static void question_run(const int fd[SESSION_FDS], pid_t session,
                                                   bool quoted)
{
	int count = 0;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	char **words = question_words(fd[SESSION_WORDS], &count);
	if (getppid() != session || !words || dup2(fd[SESSION_IN], STDIN_FILENO) < 0
	    || dup2(fd[SESSION_OUT], STDOUT_FILENO) < 0 || dup2(fd[SESSION_ERRORS], STDERR_FILENO) < 0)
		_exit(STATUS_FAILED);
	signal(SIGPIPE, SIG_DFL);
	session_tell_opened(fd[SESSION_OPENED]);
	if (quoted)
		output_is_quoted();
	int status = run_words(count, words);
	/* A name that is not there is an error for who cannot see the status. */
	exit(quoted && complained() && status < STATUS_FAILED ? STATUS_FAILED : status);
}

/* ---- The loop */

/* Waits for a question. False: nobody can ask any more. */
static bool session_receive(int socket, int fd[SESSION_FDS])
{
	union {
		struct cmsghdr header; /* aligns */
		char bytes[CMSG_SPACE(SESSION_FDS * sizeof(int))];
	} control;
	char byte;
	struct iovec one = {&byte, 1};
	struct msghdr message = {.msg_iov = &one,
	                         .msg_iovlen = 1,
	                         .msg_control = control.bytes,
	                         .msg_controllen = sizeof control.bytes};
	ssize_t got;
	do
		got = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
	while (got < 0 && errno == EINTR);
	const struct cmsghdr *header = got > 0 ? CMSG_FIRSTHDR(&message) : NULL;
	if (!header || header->cmsg_len != CMSG_LEN(SESSION_FDS * sizeof(int)))
		return false;
	memcpy(fd, CMSG_DATA(header), SESSION_FDS * sizeof(int));
	return true;
}

static bool session_say(int socket, struct session_message message)
{
	return send(socket, &message, sizeof message, MSG_NOSIGNAL) == (ssize_t)sizeof message;
}

/* Waits for the end of a question. It is reaped after its owner knows, who could else kill another
   process of the same number. */
static int session_await(pid_t question)
{
	siginfo_t info = {0};
	while (waitid(P_PID, (id_t)question, &info, WEXITED | WNOWAIT) != 0 && errno == EINTR)
		;
	return info.si_code == CLD_EXITED ? info.si_status << 8 : info.si_status; /* as of wait() */
}

static bool session_answer(int socket, const int fd[SESSION_FDS], bool quoted)
{
	pid_t session = getpid(), question = fork();
	if (question == 0)
		question_run(fd, session, quoted);
	for (int i = 0; i < SESSION_FDS; i++)
		close(fd[i]);
	if (question < 0)
		return false;
	bool said = session_say(socket, (struct session_message){.question = question});
	int status = session_await(question);
	said = said && session_say(socket, (struct session_message){question, true, status});
	return waitpid(question, NULL, 0) == question && said;
}

void session_run(const struct session_input *input, pid_t owner, int socket)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC), fd[SESSION_FDS];
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (int i = STDIN_FILENO; i <= STDERR_FILENO; i++)
		if (null < 0 || dup2(null, i) < 0)
			_exit(STATUS_FAILED);
	if (getppid() != owner)
		_exit(STATUS_FAILED);
	session_read_all(input);
	while (session_receive(socket, fd) && session_answer(socket, fd, input->quoted))
		;
	_exit(STATUS_ANSWERED);
}
