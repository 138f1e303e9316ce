/* One call of a tool: a command line of goheapx, as a question of a session. */
#include "main/mcp/mcp.h"

#include "base/clock.h"
#include "main/subcommand.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TEXT_MOST = 1 << 24 }; /* bytes of an answer that are kept */
static const uint64_t SECOND = UINT64_C(1000000000);

bool mcp_call_start(struct mcp_call *call, struct session *session, struct mcp_words *words,
                    json_t *id, json_t *token, struct err *err)
{
	int out[2] = {-1, -1}, errors[2] = {-1, -1};
	bool asked = false;
	if (pipe2(out, O_CLOEXEC) == 0 && pipe2(errors, O_CLOEXEC) == 0)
		asked = session_ask(session, words->count, words->word,
		                    &(struct session_io){-1, out[1], errors[1], -1}, err);
	else
		err_set(err, "The call cannot be started: %s", strerror(errno));
	for (int i = 0; i < 2; i++) {
		const int *ends = i ? errors : out;
		if (ends[1] >= 0)
			close(ends[1]);
		call->fd[i] = asked ? ends[0] : -1;
		if (!asked && ends[0] >= 0)
			close(ends[0]);
		buf_clear(&call->text[i]);
	}
	if (!asked)
		return false;
	mcp_words_fini(words);
	call->session = session;
	call->ended = false;
	call->id = json_incref(id);
	call->token = json_incref(token);
	call->ticks = 0;
	call->begun = clock_now();
	call->late = false;
	return true;
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

static void mcp_call_close(struct mcp_call *call)
{
	for (int i = 0; i < 2; i++) {
		if (call->fd[i] >= 0)
			close(call->fd[i]);
		call->fd[i] = -1;
	}
}

void mcp_call_forget(struct mcp_call *call)
{
	json_decref(call->id);
	json_decref(call->token);
	call->id = call->token = NULL;
	mcp_call_close(call);
	call->session = NULL;
}

bool mcp_call_has_ended(const struct mcp_call *call)
{
	return call->session && call->ended && call->fd[0] < 0 && call->fd[1] < 0;
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
	if (!call->session || call->ended || clock_now() - call->begun < seconds * SECOND)
		return;
	call->late = call->ended = true;
	call->unread = session_is_reading(call->session);
	call->status = session_stop(call->session);
	mcp_call_close(call); /* what it has started may hold its output open */
}

json_t *mcp_call_end(struct mcp_call *call, uint64_t seconds, bool texts)
{
	int status = call->status;
	json_t *content = json_array();
	bool answered = WIFEXITED(status) && WEXITSTATUS(status) < STATUS_FAILED;
	if (call->late) {
		buf_clear(&call->text[0]); /* a part of an answer looks like a whole one */
		buf_clear(&call->text[1]);
		buf_addf(&call->text[1],
		         call->unread
		             ? "The dump was not read within %" PRIu64
		               " seconds: goheapx mcp --seconds N allows more.\n"
		             : "The call took longer than %" PRIu64
		               " seconds and was ended: ask for less, as by "
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
