/* Commands that pass rows to files and other programs. Command lines contain only what the user
   typed, never text of a dump. */
#include "base/mem.h"
#include "base/text.h"
#include "ui/state.h"

#include <stdlib.h>
#include <string.h>

/* Appends every row of a view that is no table, as drawn on the screen. */
static void shell_add_drawn(struct explorer *explorer, struct buf *out)
{
	const struct view *view = explorer_view(explorer);
	struct canvas canvas;
	canvas_init(&canvas, explorer->width, 1);
	for (size_t row = 0; row < view->ops->rows(view); row++) {
		canvas_clear(&canvas);
		view->ops->draw(view, row, &canvas, 0);
		canvas_row(&canvas, 0, out);
		buf_add_char(out, '\n');
	}
	canvas_fini(&canvas);
}

/* Appends the rows of the list in its order, with all columns. */
static bool shell_add_rows(struct explorer *explorer, enum list_form form, struct buf *out,
                           struct err *err)
{
	const struct view *view = explorer_view(explorer);
	size_t count = view->ops->rows(view), number;
	bool listed = view->ops->table_row && !view->ops->report && explorer->host.print;
	const struct rows *rows = listed && count ? view->ops->table_row(view, 0, &number) : NULL;
	if (!rows && form != LIST_TEXT)
		return err_set(err, "Only lists are written as CSV and JSON: this one becomes text");
	if (!rows) {
		shell_add_drawn(explorer, out);
		return true;
	}
	uint32_t *row = mem_alloc(count * sizeof *row);
	for (size_t i = 0; i < count; i++)
		row[i] = view->ops->table_row(view, i, &number) ? (uint32_t)number : 0;
	explorer->host.print(form, rows, row, count, out);
	free(row);
	return true;
}

static bool ends_with(const char *text, const char *end)
{
	size_t len = strlen(text), end_len = strlen(end);
	return len > end_len && strcmp(text + len - end_len, end) == 0;
}

static void shell_tell_written(struct explorer *explorer, const char *path)
{
	struct buf visible = {0};
	text_add_escaped(&visible, path, strlen(path), 200);
	explorer_message(explorer, "%s is written.", buf_text(&visible));
	buf_free(&visible);
}

static bool shell_write(const struct call *call)
{
	struct explorer *explorer = call->explorer;
	const char *path = call->argument;
	struct buf text = {0};
	enum list_form form = ends_with(path, ".csv")    ? LIST_CSV
	                      : ends_with(path, ".json") ? LIST_JSON
	                                                 : LIST_TEXT;
	if (!*path)
		return err_set(call->err, "Say which file: write types.csv");
	if (!explorer->host.write)
		return err_set(call->err, "There is no writing of files here");
	bool done = shell_add_rows(explorer, form, &text, call->err)
	            && explorer->host.write(explorer->host.self, path, &text, call->err);
	if (done)
		shell_tell_written(explorer, path);
	buf_free(&text);
	return done;
}

static void report_work(void *self, struct progress *progress)
{
	struct report_task *report = self;
	report->explorer->host.report(report->explorer->analysis, report->path, progress, &report->text,
	                              &report->err);
}

static void report_forget(struct report_task *report)
{
	free(report->path);
	buf_free(&report->text);
	*report = (struct report_task){0};
}

static void report_ended(void *self)
{
	struct report_task *report = self;
	struct explorer *explorer = report->explorer;
	if (!report->err.set
	    && explorer->host.write(explorer->host.self, report->path, &report->text, &report->err))
		shell_tell_written(explorer, report->path);
	explorer_fail(explorer, &report->err);
	report_forget(report);
}

void report_task_stop(struct explorer *explorer)
{
	tasks_drop(&explorer->tasks, &explorer->report);
	report_forget(&explorer->report);
}

static bool shell_report(const struct call *call)
{
	static const struct task_kind task = {report_work, report_ended};
	struct explorer *explorer = call->explorer;
	if (!*call->argument)
		return err_set(call->err, "Say which file: report heap.html, heap.md or heap.json");
	if (!explorer->host.write || !explorer->host.report)
		return err_set(call->err, "There is no writing of files here");
	if (!analysis_has(explorer->analysis, STAGE_ALL))
		return err_set(call->err, "A report needs all that is being computed; it is not ready yet");
	if (explorer->report.path)
		return err_set(call->err, "A report is being written already");
	explorer->report =
		(struct report_task){.explorer = explorer, .path = mem_strdup(call->argument)};
	tasks_begin(&explorer->tasks, &task, &explorer->report);
	return true;
}

static bool shell_run(struct explorer *explorer, const char *command, const struct buf *input,
                      struct err *err)
{
	int status = 0;
	if (!explorer->host.shell)
		return err_set(err, "Commands of the shell need a terminal");
	if (!explorer->host.shell(explorer->host.self, command, input, &status, err))
		return false;
	if (status)
		explorer_message(explorer, "The command ended with status %d.", status);
	return true;
}

static bool shell_pipe(const struct call *call)
{
	struct explorer *explorer = call->explorer;
	struct buf text = {0};
	if (!*call->argument) {
		explorer->wants_line = '|';
		buf_clear(&explorer->line);
		return true;
	}
	bool done = explorer->host.shell ? shell_add_rows(explorer, LIST_TEXT, &text, call->err)
	                                 : err_set(call->err, "Commands of the shell need a terminal");
	done = done && shell_run(explorer, call->argument, &text, call->err);
	buf_free(&text);
	return done;
}

static bool shell_shell(const struct call *call)
{
	if (!*call->argument)
		return err_set(call->err, "Say which command of the shell: !ls");
	return shell_run(call->explorer, call->argument, NULL, call->err);
}

const struct command commands_shell[] = {
	{"write", "FILE", 0,
     "Writes the list, all of its columns, to a new file: as CSV or JSON where its name ends so, "
     "else as text. :w, too",
     .run = shell_write},
	{"report", "FILE", 0,
     "Writes a report for a ticket to a new file: as Markdown or JSON where its name ends in .md "
     "or "
     ".json, else as HTML; goheapx report in the shell does the same",
     .run = shell_report},
	{"pipe", "COMMAND", 0, "Hands the list as text to a command of the shell. :|COMMAND, too",
     .run = shell_pipe},
	{"shell", "COMMAND", 0, "Runs a command of the shell. :!COMMAND, too", .run = shell_shell},
	{0},
};
