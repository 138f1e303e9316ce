/* goheapx processes, and goheapx without arguments: lists the running Go programs that can be
   opened, and the dumps that were open last. */
#include "format/runtime.h"
#include "go/format/core/running_list.h"
#include "main/commands.h"
#include "main/options/inputs.h"
#include "main/print/json.h"
#include "main/print/output.h"
#include "ui/places.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static void processes_add_json(const struct running_list *list, struct buf *out)
{
	struct json json = {.out = out};
	json_open(&json, '[');
	for (size_t i = 0; i < list->count; i++) {
		const struct running_process *process = &list->process[i];
		json_line(&json);
		json_open(&json, '{');
		json_number(json_key(&json, "pid"), (uint64_t)process->pid);
		json_bytes(json_key(&json, "name"), buf_text(&process->name), process->name.len);
		json_bytes(json_key(&json, "go_version"), buf_text(&process->version),
		           process->version.len);
		json_number(json_key(&json, "rss_bytes"), process->resident);
		json_key(&json, THREADS_WORD);
		if (process->counted)
			json_number(&json, process->threads);
		else
			json_none(&json);
		json_bytes(json_key(&json, "executable"), buf_text(&process->executable),
		           process->executable.len);
		json_key(&json, "libraries");
		if (process->libraries.len)
			json_bytes(&json, buf_text(&process->libraries), process->libraries.len);
		else
			json_none(&json);
		json_bool(json_key(&json, "deleted"), process->deleted);
		json_bool(json_key(&json, "other_namespace"), process->elsewhere);
		json_close(&json, '}');
	}
	buf_add(out, "\n");
	json_close(&json, ']');
	buf_add(out, "\n");
}

static void processes_add_cell(struct buf *out, const struct buf *text, int width)
{
	size_t start = out->len;
	text_add_escaped(out, buf_text(text), text->len, SIZE_MAX);
	/* Blanks fill the cell up to the next one. */
	for (int columns = text_columns(buf_text(out) + start); columns < width; columns++)
		buf_add_char(out, ' ');
	buf_add(out, "  ");
}

static void processes_add_row(const struct running_process *process, int name, int version,
                              struct buf *out)
{
	SCOPED_BUF size = {0};
	text_add_size(&size, process->resident);
	buf_addf(out, "%7d  ", (int)process->pid);
	processes_add_cell(out, &process->name, name);
	processes_add_cell(out, &process->version, version);
	buf_addf(out, "%9s  ", buf_text(&size));
	if (process->counted)
		buf_addf(out, "%10" PRIu64 "  ", process->threads);
	else
		buf_addf(out, "%10s  ", "");
	text_add_escaped(out, buf_text(&process->executable), process->executable.len, SIZE_MAX);
	if (process->libraries.len) {
		buf_add(out, " with ");
		text_add_escaped(out, buf_text(&process->libraries), process->libraries.len, SIZE_MAX);
	}
	buf_add(out, process->elsewhere ? " (in a container)\n" : "\n");
}

static int processes_width(const struct buf *text, int least)
{
	SCOPED_BUF shown = {0};
	text_add_escaped(&shown, buf_text(text), text->len, SIZE_MAX);
	int width = text_columns(buf_text(&shown));
	return width > least ? width : least;
}

static void processes_add_text(const struct running_list *list, struct buf *out)
{
	int name = 4, version = 2;
	for (size_t i = 0; i < list->count; i++) {
		name = processes_width(&list->process[i].name, name);
		version = processes_width(&list->process[i].version, version);
	}
	if (list->count)
		buf_addf(out, "%7s  %-*s  %-*s  %9s  %10s  executable\n", "pid", name, "name", version,
		         "go", "rss", THREADS_WORD);
	for (size_t i = 0; i < list->count; i++)
		processes_add_row(&list->process[i], name, version, out);
	if (!list->count)
		buf_add(out, "There is no running Go program that can be read.\n");
}

static void processes_tell_denied(const struct running_list *list)
{
	SCOPED_BUF text = {0};
	if (!list->denied)
		return;
	text_add_number_of(&text, list->denied, "process of another user", "processes of other users");
	buf_addf(&text, " cannot be read, whether Go programs or not: run goheapx as %s or as root",
	         list->denied > 1 ? "these users" : "that user");
	err_tell_text(buf_text(&text), NULL);
}

enum status run_processes(const struct options *options)
{
	struct buf out = {0};
	struct running_list list = running_list_new();
	if (options->output == OUTPUT_JSON)
		processes_add_json(&list, &out);
	else
		processes_add_text(&list, &out);
	processes_tell_denied(&list);
	running_list_free(&list);
	return output_end(&out, STATUS_ANSWERED);
}

enum { DUMPS_OFFERED = 5 };

/* Prints the dumps that were open last, each with a letter. */
static void offer_dumps(const struct place_dump *dumps, size_t count)
{
	struct buf out = {0};
	if (count)
		buf_addf(&out, "%s\n%9s  %-10s  dump that was open last\n", "", "size", "left");
	for (size_t i = 0; i < count; i++) {
		SCOPED_BUF size = {0}, ago = {0};
		time_t now = time(NULL), since = now > dumps[i].left ? now - dumps[i].left : 0;
		text_add_size(&size, dumps[i].size);
		if (since)
			text_add_duration(&ago, (uint64_t)since * 1000000000);
		buf_add(&ago, since ? " ago" : "just now");
		buf_addf(&out, "%c %7s  %-10s  ", (char)('a' + i), buf_text(&size), buf_text(&ago));
		text_add_escaped(&out, dumps[i].path, strlen(dumps[i].path), SIZE_MAX);
		buf_add_char(&out, '\n');
	}
	output_end(&out, STATUS_ANSWERED);
}

/* Asks on the terminal what to open: stores a process, or the path of a dump. False: nothing. */
static bool offer_ask(const struct place_dump *dumps, size_t count, char *answer, int room)
{
	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
		return false;
	printf(count ? "Open which one? [pid, name, or letter of a dump; Enter for none] "
	             : "Open which process? [pid or name, Enter for none] ");
	fflush(stdout);
	if (!fgets(answer, room, stdin))
		return false;
	answer[strcspn(answer, "\n")] = '\0';
	size_t letter = (size_t)(*answer - 'a');
	if (*answer >= 'a' && letter < count && !answer[1])
		snprintf(answer, (size_t)room, "%s", dumps[letter].path);
	return *answer;
}

bool offer_choose(char *answer, int room)
{
	struct place_dump dumps[DUMPS_OFFERED];
	size_t count = places_last(dumps, DUMPS_OFFERED);
	offer_dumps(dumps, count);
	err_tell_text("goheapx PID opens a process, goheapx DUMP a file; goheapx --help says more",
	              NULL);
	bool chosen = offer_ask(dumps, count, answer, room);
	places_free(dumps, count);
	return chosen;
}
