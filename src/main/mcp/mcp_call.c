/* One call of a tool: a child process that runs a command line of goheapx. */
#include "main/mcp/mcp.h"

#include "base/clock.h"
#include "main/commands.h"
#include "main/output.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TEXT_MOST = 1 << 24 }; /* bytes of an answer that are kept */
static const uint64_t SECOND = UINT64_C(1000000000);

/* The child: it ends with the server, and reads nothing of the server's input. */
__attribute__((noreturn)) static void mcp_call_run(struct mcp_words *words, const int writes[2],
                                                   pid_t server)
{
	int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != server || null < 0 || dup2(null, STDIN_FILENO) < 0
	    || dup2(writes[0], STDOUT_FILENO) < 0 || dup2(writes[1], STDERR_FILENO) < 0)
		_exit(STATUS_FAILED);
	signal(SIGPIPE, SIG_DFL);
	output_is_quoted();
	int status = run_words(words->count, words->word);
	/* A name that is not there is an error for who cannot see the status. */
	exit(complained() && status < STATUS_FAILED ? STATUS_FAILED : status);
}

bool mcp_call_start(struct mcp_call *call, struct mcp_words *words, json_t *id, json_t *token,
                    struct err *err)
{
	int out[2] = {-1, -1}, errors[2] = {-1, -1};
	pid_t server = getpid();
	if (pipe2(out, O_CLOEXEC) == 0 && pipe2(errors, O_CLOEXEC) == 0)
		call->pid = fork();
	else
		call->pid = -1;
	if (call->pid == 0)
		mcp_call_run(words, (int[]){out[1], errors[1]}, server);
	if (call->pid < 0)
		err_set(err, "The call cannot be started: %s", strerror(errno));
	for (int i = 0; i < 2; i++) {
		if ((i ? errors : out)[1] >= 0)
			close((i ? errors : out)[1]);
		call->fd[i] = (i ? errors : out)[0];
		if (call->pid < 0 && call->fd[i] >= 0)
			close(call->fd[i]);
		buf_clear(&call->text[i]);
	}
	mcp_words_fini(words);
	call->id = json_incref(id);
	call->token = json_incref(token);
	call->ticks = 0;
	call->begun = clock_now();
	call->late = false;
	if (call->pid > 0)
		return true;
	call->pid = 0;
	json_decref(call->id);
	json_decref(call->token);
	return false;
}

void mcp_call_read(struct mcp_call *call, int which)
{
	char bytes[1 << 16];
	struct buf *text = &call->text[which];
	ssize_t got = read(call->fd[which], bytes, sizeof bytes);
	if (got > 0 && text->len < TEXT_MOST)
		buf_add_bytes(text, bytes, (size_t)got);
	if (got > 0 || (got < 0 && errno == EINTR))
		return;
	close(call->fd[which]);
	call->fd[which] = -1;
}

static void mcp_call_forget(struct mcp_call *call)
{
	json_decref(call->id);
	json_decref(call->token);
	for (int i = 0; i < 2; i++) {
		if (call->fd[i] >= 0)
			close(call->fd[i]);
		call->fd[i] = -1;
	}
	call->pid = 0;
}

static void mcp_call_add_text(json_t *content, const char *text)
{
	json_t *string = json_string(text);
	json_array_append_new(content,
	                      json_pack("{s:s, s:o}", "type", "text", "text",
	                                string ? string : json_string("The answer is no text")));
}

void mcp_call_check(struct mcp_call *call, uint64_t seconds)
{
	if (!call->pid || clock_now() - call->begun < seconds * SECOND)
		return;
	call->late = true;
	kill(call->pid, SIGKILL);
	/* What it has started may hold its output open. */
	for (int i = 0; i < 2; i++) {
		if (call->fd[i] >= 0)
			close(call->fd[i]);
		call->fd[i] = -1;
	}
}

json_t *mcp_call_end(struct mcp_call *call, uint64_t seconds, bool texts)
{
	int status = 0;
	json_t *content = json_array();
	while (waitpid(call->pid, &status, 0) < 0 && errno == EINTR)
		;
	bool answered = WIFEXITED(status) && WEXITSTATUS(status) < STATUS_FAILED;
	if (call->late) {
		buf_clear(&call->text[0]); /* a part of an answer looks like a whole one */
		buf_clear(&call->text[1]);
		buf_addf(&call->text[1],
		         "The call took longer than %" PRIu64 " seconds and was ended: ask for less, as by "
		         "where, limit or a smaller query. goheapx mcp --seconds N allows more.\n",
		         seconds);
	} else if (WIFSIGNALED(status))
		buf_addf(&call->text[1], "The call ended by signal %d.\n", WTERMSIG(status));
	/* What an error leaves of an answer, such as [], is none. */
	if ((answered && call->text[0].len) || !call->text[1].len)
		mcp_call_add_text(content, buf_text(&call->text[0]));
	if (call->text[1].len)
		mcp_call_add_text(content, buf_text(&call->text[1]));
	mcp_call_forget(call);
	return json_pack("{s:o, s:b, s:{s:b}}", "content", content, "isError", !answered, "_meta",
	                 "untrusted", texts);
}

void mcp_call_kill(struct mcp_call *call)
{
	if (!call->pid)
		return;
	kill(call->pid, SIGKILL);
	while (waitpid(call->pid, NULL, 0) < 0 && errno == EINTR)
		;
	mcp_call_forget(call);
}
