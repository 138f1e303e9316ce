/* Commands that pass rows to files and other programs. Command lines contain only what the user
   typed, never text of a dump. */
#include "base/mem.h"
#include "base/text.h"
#include "ui/state.h"

#include <inttypes.h>
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
	bool listed = view->ops->table_row && !view->ops->report && explorer->host.writers.print;
	const struct rows *rows = listed && count ? view->ops->table_row(view, 0, &number) : NULL;
	if (!rows && form != LIST_TEXT)
		return err_set(err, "Only lists are written as CSV and JSON: this one becomes text");
	if (!rows) {
		shell_add_drawn(explorer, out);
		return true;
	}
	SCOPED_FREE uint32_t *row = mem_alloc(count * sizeof *row);
	for (size_t i = 0; i < count; i++)
		row[i] = view->ops->table_row(view, i, &number) ? (uint32_t)number : 0;
	explorer->host.writers.print(form, rows, row, count, out);
	return true;
}

static bool ends_with(const char *text, const char *end)
{
	size_t len = strlen(text), end_len = strlen(end);
	return len > end_len && strcmp(text + len - end_len, end) == 0;
}

static void shell_tell_written(struct explorer *explorer, const char *path, const char *told)
{
	SCOPED_BUF visible = {0};
	text_add_escaped(&visible, path, strlen(path), 200);
	buf_add(&visible, " is written.");
	while (*told) {
		size_t len = strcspn(told, "\n");
		buf_addf(&visible, " %.*s.", (int)len, told);
		told += len + (told[len] == '\n');
	}
	explorer_message(explorer, "%s", buf_text(&visible));
}

static bool shell_write(const struct call *call)
{
	struct explorer *explorer = call->explorer;
	const char *path = call->argument;
	SCOPED_BUF text = {0};
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
		shell_tell_written(explorer, path, "");
	return done;
}

static void file_task_work(void *self, struct progress *progress)
{
	struct file_task *task = self;
	const struct file_request file = {task->path, buf_text(&task->format), buf_text(&task->about)};
	task->make(task->analysis, &file, progress, &task->told, &task->err);
}

static void file_task_forget(struct file_task *task)
{
	free(task->path);
	buf_free(&task->format);
	buf_free(&task->about);
	buf_free(&task->told);
	*task = (struct file_task){0};
}

static void file_task_ended(void *self)
{
	struct file_task *task = self;
	struct explorer *explorer = task->explorer;
	if (!task->err.set)
		shell_tell_written(explorer, task->path, buf_text(&task->told));
	explorer_fail(explorer, &task->err);
	file_task_forget(task);
}

void file_task_stop(struct explorer *explorer)
{
	tasks_drop(&explorer->tasks, &explorer->file_task);
	file_task_forget(&explorer->file_task);
}

static bool shell_make(const struct call *call, file_maker *make, const char *path,
                       const char *format)
{
	static const struct task_kind kind = {file_task_work, file_task_ended};
	struct explorer *explorer = call->explorer;
	const struct view *view = call->view;
	struct file_task *task = &explorer->file_task;
	uint64_t address = explorer_address(explorer);
	if (!make)
		return err_set(call->err, "There is no writing of files here");
	if (task->path)
		return err_set(call->err, "A file is being written already");
	*task = (struct file_task){.explorer = explorer,
	                           .analysis = explorer->analysis,
	                           .make = make,
	                           .path = mem_strdup(path)};
	buf_add(&task->format, format);
	if (address)
		buf_addf(&task->about, "0x%" PRIx64, address);
	else if (view->ops->holder)
		view->ops->holder(view, view->cursor, &task->about);
	tasks_begin(&explorer->tasks, &kind, task);
	return true;
}

static bool shell_report(const struct call *call)
{
	if (!*call->argument)
		return err_set(call->err, "Say which file: report heap.html, heap.md or heap.json");
	return shell_make(call, call->explorer->host.writers.report, call->argument, "");
}

static bool shell_redact(const struct call *call)
{
	if (!*call->argument)
		return err_set(call->err, "Say which file: redact small.dump, or redact small.dump.zst");
	return shell_make(call, call->explorer->host.writers.redact, call->argument, "");
}

/* The first word is a format if a file follows it, unless it looks like one itself. */
static bool shell_export(const struct call *call)
{
	const char *path = call->argument;
	SCOPED_BUF format = {0};
	size_t len = strcspn(path, " ./"), rest = len + strspn(path + len, " ");
	if (path[len] == ' ' && path[rest]) {
		buf_add_bytes(&format, path, len);
		path += rest;
	}
	return *path ? shell_make(call, call->explorer->host.writers.export, path, buf_text(&format))
	             : err_set(call->err, "Say which file: export heap.hprof, or export pprof "
	                                  "heap.pb.gz");
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
	SCOPED_BUF text = {0};
	if (!*call->argument) {
		explorer->wants_line = '|';
		buf_clear(&explorer->line);
		return true;
	}
	bool done = explorer->host.shell ? shell_add_rows(explorer, LIST_TEXT, &text, call->err)
	                                 : err_set(call->err, "Commands of the shell need a terminal");
	done = done && shell_run(explorer, call->argument, &text, call->err);
	return done;
}

static bool shell_shell(const struct call *call)
{
	if (!*call->argument)
		return err_set(call->err, "Say which command of the shell: !ls");
	return shell_run(call->explorer, call->argument, NULL, call->err);
}

const struct command commands_shell[] = {
	{"write", "FILE", TAKES_FILE,
     "Writes the list, all of its columns, to a new file: as CSV or JSON where its name ends so, "
     "else as text. Tab completes names of files. :w, too",
     .run = shell_write},
	{"report", "FILE", TAKES_FILE,
     "Writes a report for a ticket to a new file: as Markdown or JSON where its name ends in .md "
     "or "
     ".json, else as HTML; goheapx report in the shell does the same",
     .run = shell_report},
	{"redact", "FILE", TAKES_FILE,
     "Writes a copy of the dump or core file that may leave the machine, to a new file: without "
     "texts, keys and numbers of the program, with types, sizes and references; compressed where "
     "its name ends in .gz or .zst; goheapx redact in the shell does the same",
     .run = shell_redact},
	{"export", "[FORMAT] FILE", TAKES_FORMAT | TAKES_FILE,
     "Converts the dump to the format of another tool, in a new file: hprof, heapsnapshot, pprof, "
     "sqlite and others, see EXPORTS in the manual. Without FORMAT the end of the file's name says "
     "it; dot and dot-tree draw the object of the row; tables makes a folder; goheapx export "
     "in the shell does the "
     "same",
     .run = shell_export},
	{"pipe", "COMMAND", 0, "Hands the list as text to a command of the shell. :|COMMAND, too",
     .run = shell_pipe, .pace = PACE_PROMPTS},
	{"shell", "COMMAND", 0, "Runs a command of the shell. :!COMMAND, too", .run = shell_shell},
	{0},
};
