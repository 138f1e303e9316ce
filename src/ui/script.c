/* The explorer without a terminal. */
#include "ui/script.h"

#include "analysis/series.h"

#include "base/text.h"
#include "ui/command.h"
#include "ui/file.h"
#include "ui/reopening.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { MAX_SIDE = 2000, LINE_SHOWN = 200 /* bytes */ };

struct script {
	struct analysis *analysis;
	struct explorer *explorer;
	struct canvas canvas;
	bool marks;
	bool changed; /* since the last printed screen */
	bool shows;   /* and by more than a setting */
	bool due;     /* the screen is to be printed before the next command, unless that does */
	struct reopening reopening;
	int failure; /* errno of the first failed write of a screen */
};

/* Runs the stages up to one with a name of stage_name(), or "all". */
static bool wait_for(struct script *script, const char *name, struct err *err)
{
	unsigned stages = strcmp(name, "all") == 0 ? STAGE_ALL : STAGE_NONE;
	for (unsigned stage = STAGE_READ; stage < STAGE_ALL && !stages; stage <<= 1)
		if (strcmp(name, stage_name((enum stage)stage)) == 0)
			stages = (stage << 1) - 1;
	if (!stages)
		return err_set(
			err, "Wait for objects, names, references, reachability, referrers, types or all");
	if (!analysis_run(script->analysis, stages, err))
		return false;
	if (stages == STAGE_ALL)
		analysis_sum_up(script->analysis);
	if (script->explorer)
		explorer_refresh(script->explorer);
	return true;
}

static void print_screen(struct script *script)
{
	struct buf text = {0};
	explorer_draw(script->explorer, &script->canvas);
	canvas_print(&script->canvas, script->marks, &text);
	errno = 0;
	bool done = fwrite(text.data, 1, text.len, stdout) == text.len && fflush(stdout) == 0;
	if (!done && !script->failure)
		script->failure = errno ? errno : EIO;
	buf_free(&text);
	script->changed = script->shows = script->due = false;
}

static bool script_host_command(void *self, const char *word, const char *argument, struct err *err)
{
	struct script *script = self;
	if (strcmp(word, "screen") == 0)
		return print_screen(script), true;
	if (strcmp(word, "size") == 0) {
		int width, height;
		if (!command_pair(argument, 'x', &width, &height) || width < 1 || height < 1
		    || width > MAX_SIDE || height > MAX_SIDE)
			return err_set(err, "A size is columns x rows, at most %d: size 80x24", MAX_SIDE);
		canvas_resize(&script->canvas, width, height);
		explorer_draw(script->explorer, &script->canvas); /* for pages of the new size */
		return true;
	}
	if (strcmp(word, "wait") == 0)
		return wait_for(script, argument, err);
	if (strcmp(word, "set") == 0) {
		bool on = strcmp(argument, "ascii on") == 0;
		if (!on && strcmp(argument, "ascii off") != 0)
			return err_set(err,
			               "Without a terminal only \"set ascii on\" and \"off\" mean something");
		script->canvas.ascii = on;
		return true;
	}
	if (strcmp(word, "copy") == 0)
		return true;
	bool taken = reopening_take(&script->reopening, word, argument, err);
	if (taken || err->set)
		return taken;
	return err_set(err, "There is no \"%s\" without a terminal", word);
}

bool script_load(struct buf *text, const char *path, struct err *err)
{
	bool standard = strcmp(path, "-") == 0;
	FILE *file = standard ? stdin : fopen(path, "r");
	if (!file)
		return err_set(err, "The script %s cannot be read: %s", path, strerror(errno));
	char piece[4096];
	size_t len;
	while ((len = fread(piece, 1, sizeof piece, file)) > 0)
		buf_add_bytes(text, piece, len);
	bool done = !ferror(file) || err_set(err, "The script %s cannot be read to its end", path);
	if (!standard)
		fclose(file);
	buf_add_char(text, '\n');
	return done;
}

/* Opens what a command asks for. If it cannot be read, nothing changes. */
static bool script_reopen(struct script *script)
{
	struct analysis *old = script->analysis, *gone = NULL;
	struct reopening *reopening = &script->reopening;
	struct err err = {0};
	struct analysis *earlier = reopening_earlier(reopening, old);
	struct analysis *next = reopening_next(reopening, old);
	bool follows = (!earlier || analysis_run(earlier, STAGE_READ, &err))
	               && analysis_run(next, earlier ? STAGE_READ : STAGE_ALL, &err)
	               && reopening_follow(reopening, next, old, earlier, &gone, &err);
	bool done = follows && analysis_run(next, STAGE_ALL, &err);
	if (done) {
		analysis_sum_up(next);
		script->analysis = next;
		explorer_reopen(script->explorer, next, reopening->kind == REOPENING_OTHER);
		analysis_free(gone);
	} else {
		explorer_message(script->explorer, "%s.", err.text);
		analysis_free(next);
		analysis_free(follows ? NULL : earlier);
	}
	reopening->kind = REOPENING_NONE;
	return done;
}

/* Returns true if a command only prepares the screens of others. */
static bool script_is_setting(const char *word)
{
	static const char *const words[] = {"size", "wait", "set", "color", "key", "source", NULL};
	size_t i = 0;
	while (words[i] && strcmp(words[i], word) != 0)
		i++;
	return words[i];
}

/* Runs one line; waits for searches. */
static bool run_line(struct script *script, const char *line)
{
	SCOPED_BUF word = {0}, argument = {0};
	bool done = true;
	if (line[strspn(line, " \t")] == '#')
		return true;
	while (line && done && !explorer_wants_quit(script->explorer)) {
		buf_clear(&word);
		buf_clear(&argument);
		const char *start = line;
		line = command_split(line, &word, &argument);
		if (word.len == 0)
			continue;
		bool prints = strcmp(buf_text(&word), "screen") == 0;
		if (script->due && !prints)
			print_screen(script);
		script->changed = true;
		script->shows |= !script_is_setting(buf_text(&word));
		SCOPED_BUF command = {0};
		buf_add_bytes(&command, start, line ? (size_t)(line - start) : strlen(start));
		done = explorer_command(script->explorer, buf_text(&command));
		done = done && !explorer_has_failed(script->explorer)
		       && (!script->reopening.kind || script_reopen(script));
		if (prints)
			script->changed = script->shows = false;
	}
	return done;
}

static int run_lines(struct script *script, const char *text)
{
	for (int number = 1; *text && !explorer_wants_quit(script->explorer) && !script->failure;
	     number++) {
		SCOPED_BUF line = {0};
		script->due = script->due || (*text == '\f' && script->shows);
		text += *text == '\f';
		size_t len = strcspn(text, "\n");
		buf_add_bytes(&line, text, len);
		bool done = run_line(script, buf_text(&line));
		if (!done) {
			SCOPED_BUF said = {0};
			text_add_escaped(&said, buf_text(&line), line.len, LINE_SHOWN);
			buf_add(&said, ": ");
			text_add_safe(&said, explorer_last_message(script->explorer));
			fprintf(stderr, "goheapx: line %d: %s\n", number, buf_text(&said));
		}
		if (!done)
			return 1;
		text += len + (text[len] == '\n');
	}
	if (script->changed && !script->failure)
		print_screen(script);
	return 0;
}

/* Runs the stages required before the first command; skips comments. */
static bool script_prepare(struct script *script, const char *text, struct err *err)
{
	SCOPED_BUF word = {0}, argument = {0};
	for (const char *at; *(at = text + strspn(text, " \t\n")) == '#';)
		text = at + strcspn(at, "\n");
	command_split(text, &word, &argument);
	return strcmp(buf_text(&word), "wait") == 0 ? analysis_run(script->analysis, STAGE_READ, err)
	                                            : wait_for(script, "all", err);
}

int script_run(struct analysis **analysis, const char *text, const struct script_options *options)
{
	struct script script = {.analysis = *analysis, .marks = options->marks, .changed = true};
	struct err err = {0};
	if (!script_prepare(&script, text, &err)) {
		err_tell(&err, analysis_about(*analysis));
		return 2;
	}
	canvas_init(&script.canvas, options->width ? options->width : 80,
	            options->height ? options->height : 24);
	script.canvas.ascii = options->ascii;
	script.explorer =
		explorer_new(script.analysis, (struct explorer_host){.self = &script,
	                                                         .command = script_host_command,
	                                                         .writers = options->writers,
	                                                         .write = file_write});
	explorer_draw(script.explorer, &script.canvas);
	int status = run_lines(&script, text);
	*analysis = script.analysis;
	if (script.failure && script.failure != EPIPE) {
		err_set(&err, "The output cannot be written: %s", strerror(script.failure));
		err_tell(&err, NULL);
	}
	status = script.failure ? 2 : status;
	explorer_free(script.explorer);
	buf_free(&script.reopening.name);
	canvas_fini(&script.canvas);
	return status;
}
