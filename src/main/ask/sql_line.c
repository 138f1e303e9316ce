#include "main/ask/sql_shell.h"

#include "ui/history_file.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <readline/history.h>
#include <readline/readline.h>

enum { MOST_REMEMBERED = 1000, KIND = ';' };

static struct {
	const struct wake *wake;
	const atomic_bool *interrupted;
	const char *before;
	char *line;
	bool done;
	char **words;
	size_t word_count, next; /* the next of them that readline gets */
} sql_line;

static void sql_line_take(char *line)
{
	rl_callback_handler_remove();
	sql_line.line = line;
	sql_line.done = true;
}

static char *sql_line_next_word(const char *text, int again)
{
	(void)text;
	sql_line.next = again ? sql_line.next : 0;
	/* readline frees them */
	return sql_line.next < sql_line.word_count ? sql_line.words[sql_line.next++] : NULL;
}

static char **sql_line_complete(const char *text, int start, int end)
{
	(void)end;
	SCOPED_BUF before = {0};
	rl_attempted_completion_over = 1; /* no file names */
	buf_add(&before, sql_line.before);
	buf_add_bytes(&before, rl_line_buffer, (size_t)start);
	sql_line.words = sql_words(buf_text(&before), text, &sql_line.word_count);
	char **matches = rl_completion_matches(text, sql_line_next_word);
	free(sql_line.words);
	return matches;
}

static void sql_line_load(void *self, char kind, const char *text)
{
	(void)self;
	if (kind == KIND)
		add_history(text);
}

void sql_line_open(const struct wake *wake, const atomic_bool *interrupted)
{
	sql_line.wake = wake;
	sql_line.interrupted = interrupted;
	rl_readline_name = "goheapx";
	rl_attempted_completion_function = sql_line_complete;
	rl_basic_word_break_characters = " \t\n\"'(),;=<>+*/|.";
	rl_completer_quote_characters = "";
	if (!isatty(STDOUT_FILENO))
		rl_outstream = stderr;
	using_history();
	stifle_history(MOST_REMEMBERED);
	history_file_load(sql_line_load, NULL);
}

enum sql_line sql_line_read(const char *prompt, const char *before, struct buf *line)
{
	sql_line.before = before;
	sql_line.done = false;
	rl_callback_handler_install(prompt, sql_line_take);
	while (!sql_line.done && !*sql_line.interrupted) {
		/* poll returns when there is a byte to read, or a signal has come. */
		struct pollfd ends[] = {{.fd = STDIN_FILENO, .events = POLLIN},
		                        {.fd = wake_fd(sql_line.wake), .events = POLLIN}};
		poll(ends, 2, -1);
		rl_check_signals();
		if (ends[1].revents)
			wake_drain(sql_line.wake);
		if (ends[0].revents && !*sql_line.interrupted)
			rl_callback_read_char();
	}
	if (!sql_line.done) {
		fputs("^C\n", rl_outstream);
		rl_callback_sigcleanup();
		rl_callback_handler_remove();
		return SQL_LINE_INTERRUPTED;
	}
	if (!sql_line.line)
		fputc('\n', rl_outstream);
	buf_add(line, sql_line.line ? sql_line.line : "");
	bool end = !sql_line.line;
	free(sql_line.line);
	return end ? SQL_LINE_END : SQL_LINE;
}

void sql_line_remember(const char *statement)
{
	SCOPED_BUF one = {0};
	HIST_ENTRY *last = history_length > 0 ? history_get(history_base + history_length - 1) : NULL;
	buf_add(&one, statement);
	bool single = !strchr(statement, '\n') || !strstr(statement, "--");
	for (size_t i = 0; single && i < one.len; i++)
		if (one.data[i] == '\n')
			one.data[i] = ' ';
	if (!last || strcmp(last->line, buf_text(&one)) != 0) {
		add_history(buf_text(&one));
		if (single) /* the file has one line per statement */
			history_file_add(KIND, buf_text(&one));
	}
}
