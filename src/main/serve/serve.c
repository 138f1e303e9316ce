/* The loop of the server: a line of JSON with the words of a command line, a line with what it
   prints. One question runs at a time, in the order in which they come. */
#include "main/serve/serve.h"

#include "base/mem.h"
#include "base/temporary.h"
#include "main/commands.h"
#include "main/print/json_line.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <jansson.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	LINE_MOST = 1 << 24,   /* bytes of a question */
	WORDS_MOST = 4096,     /* of a question */
	ANSWER_MOST = 1 << 28, /* bytes of what a question prints */
};

struct serve {
	struct serve_sessions sessions;
	struct buf line; /* the beginning of a question */
	bool too_long;   /* the rest of this line is dropped */
	bool gone;       /* nobody reads what is written */
};

/* A question, while it is answered. */
struct serve_question {
	json_t *id; /* borrowed */
	char *word[WORDS_MOST + 2];
	int count;
	struct session_io io;
	int status; /* as of waitpid() */
};

/* ---- Answers */

static void serve_refuse(struct serve *serve, json_t *id, const char *message)
{
	json_t *said = json_string(message);
	json_line_write(json_pack("{s:O?, s:o}", "id", id, "error",
	                          said ? said : json_string("The question cannot be answered")),
	                &serve->gone);
}

static void serve_add_base64(const struct buf *bytes, struct buf *out)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	for (size_t i = 0; i < bytes->len; i += 3) {
		uint32_t group = 0;
		for (size_t k = 0; k < 3; k++)
			group = group << 8 | (i + k < bytes->len ? (uint8_t)bytes->data[i + k] : 0);
		for (size_t k = 0; k < 4; k++)
			buf_add_char(out, i + k > bytes->len ? '=' : digits[group >> (18 - 6 * k) & 63]);
	}
}

/* Adds what was printed as a text; what is no UTF-8 as base64, under another name. */
static void serve_set(json_t *answer, const char *name, const struct buf *bytes)
{
	SCOPED_BUF base64 = {0}, other = {0};
	json_t *text = json_stringn(buf_text(bytes), bytes->len);
	if (text) {
		json_object_set_new(answer, name, text);
		return;
	}
	serve_add_base64(bytes, &base64);
	buf_addf(&other, "%s_base64", name);
	json_object_set_new(answer, buf_text(&other), json_string(buf_text(&base64)));
}

/* Reads all of a file. False: *err. */
static bool serve_read_file(int fd, struct buf *out, struct err *err)
{
	char bytes[1 << 13];
	struct stat info;
	ssize_t got;
	if (fstat(fd, &info) == 0 && info.st_size > ANSWER_MOST)
		return err_set(err,
		               "The answer has %jd bytes, more than a line can: ask for less, or "
		               "start goheapx for this question",
		               (intmax_t)info.st_size);
	while ((got = pread(fd, bytes, sizeof bytes, (off_t)out->len)) != 0) {
		if (got < 0 && errno != EINTR)
			return err_set(err, "The answer cannot be read: %s", strerror(errno));
		if (got > 0)
			buf_add_bytes(out, bytes, (size_t)got);
	}
	return true;
}

static void serve_answer(struct serve *serve, const struct serve_question *question)
{
	SCOPED_BUF out = {0}, errors = {0};
	struct err err = {0};
	if (WIFSIGNALED(question->status))
		err_set(&err, "The question was ended by signal %d", WTERMSIG(question->status));
	else if (serve_read_file(question->io.out, &out, &err))
		serve_read_file(question->io.errors, &errors, &err);
	if (err.set) {
		serve_refuse(serve, question->id, err.text);
		return;
	}
	json_t *answer =
		json_pack("{s:O?, s:i}", "id", question->id, "status", WEXITSTATUS(question->status));
	serve_set(answer, "out", &out);
	serve_set(answer, "err", &errors);
	json_line_write(answer, &serve->gone);
}

/* ---- Questions */

/* Waits for the end of a question. False: nobody wants its answer. */
static bool serve_await(struct serve *serve, struct session *session, int *status)
{
	bool ended = false;
	while (!ended && !serve->gone) {
		struct pollfd fds[] = {{STDOUT_FILENO, 0, 0}, {session_fd(session), POLLIN, 0}};
		if (poll(fds, sizeof fds / sizeof *fds, -1) <= 0)
			continue;
		serve->gone = fds[0].revents & POLLERR;
		if (fds[1].revents)
			ended = session_hear(session, status);
	}
	return ended;
}

/* Asks the session that fits, again where it was killed since the last question, and waits for the
   end. Returns that session; NULL: *err, or nobody wants the answer. */
static struct session *serve_ask(struct serve *serve, struct serve_question *question,
                                 struct err *err)
{
	for (int i = 0; i < 2; i++) {
		*err = (struct err){0};
		struct session *session =
			serve_session(&serve->sessions, question->count, question->word, err);
		if (session && session_ask(session, question->count, question->word, &question->io, err))
			return serve_await(serve, session, &question->status) ? session : NULL;
	}
	return NULL;
}

static void serve_run(struct serve *serve, struct serve_question *question)
{
	struct err err = {0};
	SCOPED_BUF opened = {0};
	struct session *session = serve_ask(serve, question, &err);
	if (session && !session_lives(session)) { /* as without memory to read so much */
		if (session != serve->sessions.blank)
			serve_give_up(&serve->sessions);
		session = serve_ask(serve, question, &err);
	}
	if (serve->gone)
		return;
	if (!session) {
		serve_refuse(serve, question->id, err.text);
		return;
	}
	serve_answer(serve, question);
	if (session == serve->sessions.blank && serve_read_file(question->io.opened, &opened, &err))
		serve_note(&serve->sessions, question->count, question->word, &opened);
	serve_bound(&serve->sessions);
}

/* Takes the words, which stay those of the JSON. False: *err. */
static bool serve_take_words(const json_t *words, struct serve_question *question, struct err *err)
{
	static char name[] = "goheapx";
	size_t count = json_array_size(words);
	if (!json_is_array(words) || count > WORDS_MOST)
		return err_set(err, "The words of a question are an array of at most %d texts", WORDS_MOST);
	question->word[question->count++] = name;
	for (size_t i = 0; i < count; i++) {
		const json_t *word = json_array_get(words, i);
		const char *text = json_string_value(word);
		if (!text || strlen(text) != json_string_length(word))
			return err_set(err, "A word is a text without a NUL");
		question->word[question->count++] = (char *)(uintptr_t)text;
	}
	return true;
}

/* Opens what the question reads and writes. False: *err. */
static bool serve_open(const json_t *in, struct session_io *io, struct err *err)
{
	if (in && !json_is_string(in))
		return err_set(err, "The standard input of a question, \"in\", is a text");
	io->in = in ? temporary_open(err) : -1;
	if (in
	    && (io->in < 0 || !temporary_add(io->in, json_string_value(in), json_string_length(in), err)
	        || lseek(io->in, 0, SEEK_SET) != 0))
		return err_set(err, "The question cannot be kept: %s", strerror(errno));
	io->out = temporary_open(err);
	io->errors = temporary_open(err);
	io->opened = memfd_create("opened", MFD_CLOEXEC);
	return io->out >= 0 && io->errors >= 0 && io->opened >= 0;
}

static void serve_take(struct serve *serve, json_t *message)
{
	struct serve_question question = {.id = json_object_get(message, "id"), .io = {-1, -1, -1, -1}};
	const json_t *words = json_is_object(message) ? json_object_get(message, "words") : message;
	struct err err = {0};
	if (serve_take_words(words, &question, &err)
	    && serve_open(json_object_get(message, "in"), &question.io, &err))
		serve_run(serve, &question);
	else
		serve_refuse(serve, question.id, err.text);
	const int fds[] = {question.io.in, question.io.out, question.io.errors, question.io.opened};
	for (size_t i = 0; i < sizeof fds / sizeof *fds; i++)
		if (fds[i] >= 0)
			close(fds[i]);
}

static void serve_take_line(struct serve *serve)
{
	json_error_t error;
	if (!serve->line.len)
		return;
	json_t *message = json_loadb(serve->line.data, serve->line.len, JSON_ALLOW_NUL, &error);
	if (message)
		serve_take(serve, message);
	else
		serve_refuse(serve, NULL, "A question is a line of JSON, an array of words or an object");
	json_decref(message);
	buf_clear(&serve->line);
}

static void serve_take_bytes(struct serve *serve, const char *bytes, size_t len)
{
	for (size_t i = 0; i < len && !serve->gone; i++) {
		if (bytes[i] == '\n' && serve->too_long)
			serve->too_long = false;
		else if (bytes[i] == '\n')
			serve_take_line(serve);
		else if (serve->line.len < LINE_MOST && !serve->too_long)
			buf_add_char(&serve->line, bytes[i]);
		else if (!serve->too_long) {
			serve_refuse(serve, NULL, "The question is too long");
			buf_clear(&serve->line);
			serve->too_long = true;
		}
	}
}

enum status run_serve(const struct options *options)
{
	struct serve serve = {.sessions.cached = !options->no_cache};
	char bytes[1 << 16];
	ssize_t got;
	signal(SIGPIPE, SIG_IGN);
	while (!serve.gone && (got = read(STDIN_FILENO, bytes, sizeof bytes)) != 0) {
		if (got > 0)
			serve_take_bytes(&serve, bytes, (size_t)got);
		else if (errno != EINTR)
			break;
	}
	if (!serve.gone)
		serve_take_line(&serve);
	serve_sessions_fini(&serve.sessions);
	buf_free(&serve.line);
	return STATUS_ANSWERED;
}
