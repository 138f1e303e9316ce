#include "main/ask/sql_shell.h"

#include "analysis/analysis.h"
#include "main/options/inputs.h"
#include "main/print/output.h"
#include "main/print/writer.h"
#include "table/naming/nearest.h"
#include "table/query/sql_database.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WAIT_MS = 200, WAIT_WIDTH = 40 };

struct sql_shell {
	const struct options *options;
	struct analysis *analysis;
	bool interactive, quit;
	enum output mode;
	enum status status;
	struct buf pending; /* input that is not executed yet */
	size_t line, begun; /* number of the current line, and of the first line of `pending` */
};

/* State that the signal handler changes; there is one shell. */
static struct {
	atomic_bool interrupted;
	atomic_bool answering; /* a query runs, and the terminal is as it was before readline */
	struct progress progress;
	struct wake wake;
} sql_shell;

/* SQLite looks for an interruption between its instructions only. A function that takes long is
   ended with the program by a second ^C. */
static void sql_shell_interrupted(int number)
{
	(void)number;
	if (sql_shell.interrupted && sql_shell.answering)
		_exit(128 + SIGINT);
	sql_shell.interrupted = true;
	sql_shell.progress.cancel = true;
	wake_up(&sql_shell.wake);
}

/* ---- Errors */

/* Prints an error. Only a terminal session continues after one. */
static void sql_shell_fail(struct sql_shell *shell, const struct err *err)
{
	SCOPED_BUF about = {0};
	if (!shell->interactive)
		buf_addf(&about, "Statement of line %zu", shell->begun);
	complain(about.len ? buf_text(&about) : NULL, err);
	if (!shell->interactive)
		shell->status = STATUS_FAILED;
	shell->quit |= !shell->interactive;
}

static void sql_shell_print(struct sql_shell *shell, struct buf *out)
{
	if (output_end(out, STATUS_ANSWERED) == STATUS_ANSWERED)
		return;
	shell->status = STATUS_FAILED;
	shell->quit = true;
}

/* ---- Queries */

/* Waits for stages on a terminal, where a task runs them; elsewhere runs them now. */
static bool sql_shell_reach(struct sql_shell *shell, unsigned stages, struct err *err)
{
	struct pollfd end = {.fd = wake_fd(&sql_shell.wake), .events = POLLIN};
	if (!shell->interactive)
		return analysis_run(shell->analysis, stages, err);
	while (analysis_lacks(shell->analysis, stages) && !analysis_failed(shell->analysis, err)
	       && !sql_shell.interrupted) {
		if (poll(&end, 1, WAIT_MS) == 0) {
			/* The progress is one line, which replaces the previous one. */
			SCOPED_BUF text = {0};
			const struct progress *progress = analysis_progress(shell->analysis);
			if (progress)
				progress_add(progress, "working", &text);
			if (isatty(STDERR_FILENO))
				fprintf(stderr, "\r%-*.*s\r", WAIT_WIDTH, WAIT_WIDTH, buf_text(&text));
		} else
			wake_drain(&sql_shell.wake);
	}
	if (isatty(STDERR_FILENO))
		fprintf(stderr, "\r%*s\r", WAIT_WIDTH, "");
	return !analysis_lacks(shell->analysis, stages)
	       || err_set(err, "Interrupted while looking for %s",
	                  stage_name(analysis_lacks(shell->analysis, stages)));
}

static void sql_shell_answer(struct sql_shell *shell, const char *query)
{
	struct err err = {0};
	struct buf out = {0};
	unsigned stages;
	if (sql_needs(query, &stages) && !sql_shell_reach(shell, stages, &err)) {
		sql_shell_fail(shell, &err);
		return;
	}
	struct rows *rows = rows_open_watched(table_find("sql"),
	                                      asked_with(shell->analysis, shell->options), query,
	                                      &sql_shell.progress, &err);
	if (!rows) {
		sql_shell_fail(shell, &err);
		return;
	}
	struct columns columns = columns_all(rows->table);
	const struct selection all = {.first = shell->options->skip, .count = rows->count};
	writer_print(shell->mode, rows, &columns, &all, shell->options->limit, &out);
	sql_shell_print(shell, &out);
	if (rows->note.len && (shell->mode == OUTPUT_TEXT || output_for_agent()))
		fprintf(stderr, "%s\n", buf_text(&rows->note));
	rows_close(rows);
}

/* ---- Commands */

static void sql_shell_tables(struct sql_shell *shell, const char *argument)
{
	struct buf out = {0}, name = {0};
	(void)argument;
	for (size_t i = 0; tables[i]; i++) {
		buf_clear(&name);
		sql_schema_add_name(tables[i]->name, &name);
		if (sql_schema_has(tables[i]) && !tables[i]->rare)
			help_add_entry(&out, buf_text(&name), tables[i]->help);
	}
	buf_free(&name);
	sql_shell_print(shell, &out);
}

static void sql_shell_schema(struct sql_shell *shell, const char *argument)
{
	const struct table *only = sql_schema_find(argument);
	struct buf out = {0};
	struct err err = {0};
	for (size_t i = 0; tables[i]; i++)
		if (sql_schema_has(tables[i]) && (tables[i] == only || !*argument)) {
			sql_schema_add(tables[i], false, &out);
			buf_add(&out, ";\n");
		}
	if (!out.len) {
		table_unknown(argument, ".tables lists them", &err);
		sql_shell_fail(shell, &err);
	}
	sql_shell_print(shell, &out);
}

static void sql_shell_help(struct sql_shell *shell, const char *argument)
{
	struct buf out = {0}, name = {0};
	(void)argument;
	for (const struct sql_shell_command *c = sql_shell_commands; c->name; c++) {
		buf_clear(&name);
		buf_addf(&name, "%s %s", c->name, c->argument ? c->argument : "");
		help_add_entry(&out, buf_text(&name), c->help);
	}
	buf_add(&out, "Everything else is a query, up to its ; such as\n"
	              "  SELECT type, sum(size) FROM objects GROUP BY type ORDER BY 2 DESC LIMIT 5;\n"
	              "Addresses are texts, as in WHERE address = '0xc000012340'; what a table takes\n"
	              "as its argument stands behind its name: referrers('0xc000012340').\n");
	buf_free(&name);
	sql_shell_print(shell, &out);
}

static void sql_shell_mode(struct sql_shell *shell, const char *argument)
{
	static const char *const names[] = {
		[OUTPUT_TEXT] = "table", [OUTPUT_JSON] = "json", [OUTPUT_CSV] = "csv"};
	struct err err = {0};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(names[i], argument) == 0) {
			shell->mode = (enum output)i;
			return;
		}
	err_set(&err, ".mode needs table, csv or json, not \"%.40s\"", argument);
	sql_shell_fail(shell, &err);
}

static void sql_shell_quit(struct sql_shell *shell, const char *argument)
{
	(void)argument;
	shell->quit = true;
}

const struct sql_shell_command sql_shell_commands[] = {
	{".help", NULL, "Print the usage of the shell"},
	{".mode", "table|csv|json", "Set the output format of queries"},
	{".quit", NULL, "End the shell; so does ^D"},
	{".schema", "[TABLE]", "Show the columns of a table, or of all"},
	{".tables", NULL, "List the tables"},
	{0},
};

static void sql_shell_command(struct sql_shell *shell, const char *line)
{
	static void (*const runs[])(struct sql_shell *, const char *) = {
		sql_shell_help, sql_shell_mode, sql_shell_quit, sql_shell_schema, sql_shell_tables,
	};
	struct nearest nearest = {.wanted = line};
	SCOPED_BUF name = {0}, argument = {0}, meant = {0};
	struct err err = {0};
	size_t length = strcspn(line, " \t"), found = 0;
	buf_add_bytes(&name, line, length);
	line += length + strspn(line + length, " \t\"");
	buf_add_bytes(&argument, line, strcspn(line, " \t\";"));
	while (sql_shell_commands[found].name
	       && strcmp(sql_shell_commands[found].name, buf_text(&name)) != 0)
		nearest_see(&nearest, sql_shell_commands[found++].name);
	if (sql_shell_commands[found].name) {
		runs[found](shell, buf_text(&argument));
	} else {
		nearest_add_meant(&nearest, "", &meant);
		err_set(&err, "There is no command %.40s%s; .help lists them", buf_text(&name),
		        buf_text(&meant));
		sql_shell_fail(shell, &err);
	}
}

/* ---- Lines */

/* Returns true if the text consists of blanks and comments. */
static bool sql_shell_is_blank(const char *text)
{
	for (;; text++) {
		text += strspn(text, " \t\r\n;");
		if (strncmp(text, "--", 2) == 0)
			text += strcspn(text, "\n");
		else if (strncmp(text, "/*", 2) == 0 && strstr(text + 2, "*/"))
			text = strstr(text + 2, "*/") + 1;
		else
			return !*text;
		if (!*text)
			return true;
	}
}

/* Returns the length of the first complete statement, including its ;. 0: none. */
static size_t sql_shell_whole(const struct buf *text)
{
	SCOPED_BUF begin = {0};
	size_t length = 0;
	bool whole = false;
	while (!whole && length < text->len) {
		length += strcspn(text->data + length, ";");
		length += length < text->len;
		buf_clear(&begin);
		buf_add_bytes(&begin, text->data, length);
		whole = text->data[length - 1] == ';' && sqlite3_complete(buf_text(&begin));
	}
	return whole ? length : 0;
}

static void sql_shell_take_line(struct sql_shell *shell, const char *line)
{
	size_t length;
	shell->line++;
	if (sql_shell_is_blank(buf_text(&shell->pending))) {
		buf_clear(&shell->pending);
		shell->begun = shell->line;
		if (*line == '.') {
			sql_shell_command(shell, line);
			return;
		}
	}
	buf_add(&shell->pending, line);
	buf_add_char(&shell->pending, '\n');
	while (!shell->quit && (length = sql_shell_whole(&shell->pending)) != 0) {
		if (shell->interactive)
			sql_line_remember(buf_text(&shell->pending));
		SCOPED_BUF statement = {0};
		buf_add_bytes(&statement, shell->pending.data, length);
		shell->pending.len -= length;
		memmove(shell->pending.data, shell->pending.data + length, shell->pending.len + 1);
		if (!sql_shell_is_blank(buf_text(&statement)))
			sql_shell_answer(shell, buf_text(&statement));
		shell->begun = shell->line;
	}
}

static void sql_shell_read_terminal(struct sql_shell *shell)
{
	struct sigaction action = {.sa_handler = sql_shell_interrupted};
	SCOPED_BUF line = {0};
	sigaction(SIGINT, &action, NULL);
	sql_line_open(&sql_shell.wake, &sql_shell.interrupted);
	output_watch(&sql_shell.interrupted);
	puts("Queries end with a ; and .help says more.");
	fflush(stdout);
	while (!shell->quit) {
		sql_shell.interrupted = sql_shell.progress.cancel = false;
		bool blank = sql_shell_is_blank(buf_text(&shell->pending));
		buf_clear(&line);
		enum sql_line end =
			sql_line_read(blank ? "sql> " : "...> ", buf_text(&shell->pending), &line);
		sql_shell.answering = end == SQL_LINE;
		if (end == SQL_LINE)
			sql_shell_take_line(shell, buf_text(&line));
		sql_shell.answering = false;
		if (end == SQL_LINE_INTERRUPTED)
			buf_clear(&shell->pending);
		shell->quit |= end == SQL_LINE_END;
	}
}

static void sql_shell_read_input(struct sql_shell *shell)
{
	char *line = NULL;
	size_t capacity = 0;
	while (!shell->quit && getline(&line, &capacity, stdin) >= 0) {
		line[strcspn(line, "\r\n")] = 0;
		sql_shell_take_line(shell, line);
	}
	free(line);
	if (!shell->quit && !sql_shell_is_blank(buf_text(&shell->pending)))
		sql_shell_answer(shell, buf_text(&shell->pending));
}

enum status sql_shell_run(const struct options *options)
{
	struct sql_shell shell = {
		.options = options, .interactive = isatty(STDIN_FILENO), .mode = options->output};
	struct err err = {0};
	if (!wake_open(&sql_shell.wake, &err))
		return complain(NULL, &err);
	shell.analysis = open_dump(&(struct opening){
		.options = options, .dump = options->operands[0], .stages = STAGE_READ, .since = true});
	enum status status = STATUS_FAILED;
	if (shell.analysis && shell.interactive) {
		analysis_start(shell.analysis, &sql_shell.wake);
		sql_shell_read_terminal(&shell);
	} else if (shell.analysis) {
		sql_shell_read_input(&shell);
	}
	buf_free(&shell.pending);
	if (shell.analysis)
		status = close_dump(shell.analysis, options, shell.status);
	wake_close(&sql_shell.wake);
	return status;
}
