/* Dispatch of keys and lines: to their bindings, or to what waits for them. */
#include "ui/state.h"

#include <string.h>

/* Edits the requested line, for drivers without a line editor. */
static bool line_key(struct explorer *explorer, const char *key)
{
	struct buf *line = &explorer->line;
	if (strcmp(key, "Enter") == 0) {
		struct buf whole = *line;
		*line = (struct buf){0};
		explorer_line(explorer, buf_text(&whole));
		buf_free(&whole);
	} else if (strcmp(key, "Esc") == 0 || strcmp(key, "^C") == 0) {
		explorer_line(explorer, NULL);
	} else if (strcmp(key, "Backspace") == 0 && line->len) {
		do
			line->len--;
		while (line->len && ((unsigned char)line->data[line->len] & 0xc0) == 0x80);
		line->data[line->len] = '\0';
	} else {
		buf_add(line, strcmp(key, "Space") == 0 ? " " : key);
	}
	if (explorer->wants_line)
		explorer_typed(explorer, buf_text(line));
	return true;
}

static void explorer_run_line(struct explorer *explorer, const struct line_kind *kind,
                              const char *line)
{
	struct err err = {0};
	const char *word = *line ? kind->command : kind->empty;
	if (word)
		explorer_run(explorer, word, line, &err);
	else if (*line)
		explorer_command(explorer, line);
	explorer_fail(explorer, &err);
}

void explorer_line(struct explorer *explorer, const char *line)
{
	const struct line_kind *kind = line_kind_find(explorer->wants_line);
	struct repeat *repeat = &explorer->repeat;
	explorer->wants_line = 0;
	search_task_untype(explorer);
	buf_clear(&explorer->line);
	if (!line || !kind)
		return;
	SCOPED_BUF given = {0};
	buf_add(&given, line); /* what runs may give back the line */
	repeat->used = false;
	explorer_run_line(explorer, kind, buf_text(&given));
	if (given.len && !repeat->used) {
		repeat->kind = kind->kind;
		buf_clear(&repeat->line);
		buf_add(&repeat->line, buf_text(&given));
	}
}

bool explorer_repeat(struct explorer *explorer, struct err *err)
{
	struct repeat *repeat = &explorer->repeat;
	const struct line_kind *kind = line_kind_find(repeat->kind);
	if (!kind)
		return err_set(err, "Nothing has been typed yet that could be repeated: : asks for it");
	if (repeat->runs)
		return err_set(err, "This repeats itself");
	SCOPED_BUF line = {0};
	buf_add(&line, buf_text(&repeat->line));
	repeat->runs = repeat->used = true;
	explorer_run_line(explorer, kind, buf_text(&line));
	repeat->runs = false;
	return true;
}

char explorer_wants_line(const struct explorer *explorer)
{
	return explorer->wants_line;
}

/* Handles Alt and digits: a count for the next key, or a row number for first and last. */
static bool count_key(struct explorer *explorer, const char *name)
{
	enum { MOST = 1000000000 };
	if (strncmp(name, "M-", 2) != 0 || name[2] < '0' || name[2] > '9' || name[3])
		return false;
	if (explorer->count < MOST)
		explorer->count = explorer->count * 10 + (unsigned)(name[2] - '0');
	explorer_message(explorer, "%u %s, or row %u: now a key", explorer->count,
	                 explorer->count == 1 ? "time" : "times", explorer->count);
	return true;
}

/* Passes the count before a key to its command, if that takes one. */
static void take_count(struct explorer *explorer, struct buf *word, struct buf *argument)
{
	unsigned count = explorer->count;
	explorer->count = 0;
	if (!count || argument->len)
		return;
	if (strcmp(buf_text(word), "first") == 0 || strcmp(buf_text(word), "last") == 0) {
		buf_clear(word);
		buf_add(word, "row");
	}
	if (command_takes(buf_text(word)) & TAKES_COUNT)
		buf_addf(argument, "%u", count);
}

static bool run_key(struct explorer *explorer, const struct key *key, const char *rest_of_name)
{
	SCOPED_BUF word = {0}, argument = {0};
	struct err err = {0};
	command_split(key->command, &word, &argument);
	if (argument.len == 0)
		buf_add(&argument, rest_of_name);
	take_count(explorer, &word, &argument);
	bool done = explorer_run(explorer, buf_text(&word), buf_text(&argument), &err);
	explorer_fail(explorer, &err);
	done = done && !explorer->alarm;
	return done;
}

/* Runs the command line of a key that the user has bound, which may bind the key anew. */
static bool run_own_key(struct explorer *explorer, const char *command)
{
	SCOPED_BUF line = {0};
	buf_add(&line, command);
	search_task_stop(explorer);
	explorer->count = 0;
	explorer->own_key_runs = true;
	bool done = explorer_command(explorer, buf_text(&line));
	explorer->own_key_runs = false;
	return done;
}

bool explorer_key(struct explorer *explorer, const char *name)
{
	if (explorer->wants_line)
		return line_key(explorer, name);
	search_task_rest(explorer);
	explorer_message(explorer, "%s", "");
	const char *word = explorer->wants_key;
	if (word) { /* after m or ', the name of a mark */
		struct err err = {0};
		explorer->wants_key = NULL;
		if (strcmp(name, "Esc") == 0 || strcmp(name, "^C") == 0)
			return true;
		bool done = explorer_run(explorer, word, name, &err);
		explorer_fail(explorer, &err);
		return done;
	}
	if (count_key(explorer, name))
		return true;
	const char *own = key_own_command(explorer, name);
	if (own)
		return run_own_key(explorer, own);
	SCOPED_BUF twice = {0};
	if (explorer->key_begun && strlen(name) == 1) {
		buf_addf(&twice, "%c%s", explorer->key_begun, name);
		name = buf_text(&twice);
	}
	explorer->key_begun = !twice.len && key_begins(name) ? *name : '\0';
	if (explorer->key_begun) {
		explorer_message(explorer, "%s again leaves the explorer.", name);
		return true;
	}
	const struct key *key = key_find(name, explorer_view(explorer));
	if (!(key && (strcmp(key->command, "cancel") == 0 || strcmp(key->command, "leave") == 0)))
		search_task_stop(explorer);
	if (key) {
		const char *place = strchr(name, ' ');
		explorer->tab = key->when == HINT_TAB;
		bool done = run_key(explorer, key, place ? place + 1 : "");
		explorer->tab = false;
		return done;
	}
	explorer_message(explorer, "%s does nothing here. ? shows all keys.", name);
	explorer->alarm = true;
	return false;
}
