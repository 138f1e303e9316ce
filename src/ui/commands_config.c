/* The config file, whose lines are commands, and its own commands: key, color, source. */
#include "base/text.h"
#include "base/user_file.h"
#include "table/query/user_views.h"
#include "ui/state.h"
#include "ui/term.h"

#include <errno.h>
#include <string.h>

enum { CONFIG_MOST = 64 * 1024, PATH_SHOWN = 200 };

static bool config_key(const struct call *call)
{
	SCOPED_BUF name = {0}, shown = {0};
	const char *command = call->argument + strcspn(call->argument, " ");
	buf_add_bytes(&name, call->argument, (size_t)(command - call->argument));
	command += strspn(command, " ");
	text_add_escaped(&shown, buf_text(&name), name.len, 60);
	bool done = true;
	if (!*command)
		err_set(call->err, "Give a key and its command: key F5 objects");
	else if (!term_key_exists(buf_text(&name)))
		err_set(call->err, "There is no key \"%s\": keys are named as on the ? screen",
		        buf_text(&shown));
	else
		keys_bind(call->explorer, buf_text(&name), command);
	done = !call->err->set;
	return done;
}

static bool config_color(const struct call *call)
{
	if (!term_color_set(call->argument, call->err))
		return false;
	if (call->explorer->host.command)
		call->explorer->host.command(call->explorer->host.self, "redraw", "", &(struct err){0});
	return true;
}

/* Runs every line; returns the number of those that failed, and keeps the first message. */
static size_t config_run(struct explorer *explorer, const char *path, char *line,
                         struct buf *message)
{
	size_t failed = 0;
	char *end;
	for (size_t number = 1; *line; number++, line = end) {
		end = line + strcspn(line, "\n");
		if (*end)
			*end++ = '\0';
		line[text_trimmed(line, strcspn(line, "\r"))] = '\0';
		line += strspn(line, " \t");
		if (*line == '#' || explorer_command(explorer, line) || failed++)
			continue;
		text_add_escaped(message, path, strlen(path), PATH_SHOWN);
		buf_addf(message, ", line %zu: %s", number, explorer_last_message(explorer));
	}
	return failed;
}

/* Runs the commands of a file. The first failure becomes the message; the other lines still run. */
static bool config_source(struct explorer *explorer, const char *path, struct err *err)
{
	SCOPED_BUF text = {0}, message = {0};
	bool done = !explorer->sourcing
	            || err_set(err, "source stands only at the prompt, not in a file of commands");
	done = done && user_file_read(path, CONFIG_MOST, &text, err);
	if (done && strlen(buf_text(&text)) < text.len)
		done = err_set(err, "The file of commands has a byte 0: it is not text");
	if (done && text.len) {
		explorer->sourcing = true;
		size_t failed = config_run(explorer, path, text.data, &message);
		explorer->sourcing = false;
		if (failed > 1)
			buf_addf(&message, " (and %zu more lines are wrong)", failed - 1);
		explorer_message(explorer, "%s", buf_text(&message));
		explorer->alarm = failed > 0;
	}
	return done;
}

static bool config_add_path(struct buf *path)
{
	bool there = user_folder(path, USER_CONFIG);
	buf_add(path, "/config");
	return there;
}

static bool config_source_command(const struct call *call)
{
	SCOPED_BUF path = {0};
	if (*call->argument)
		buf_add(&path, call->argument);
	else if (!config_add_path(&path))
		err_set(call->err, "There is no config file: neither XDG_CONFIG_HOME nor HOME is set");
	return !call->err->set && config_source(call->explorer, buf_text(&path), call->err);
}

void config_load(struct explorer *explorer)
{
	SCOPED_BUF path = {0};
	struct err err = {0};
	const char *wrong = user_views_wrong();
	if (*wrong) {
		explorer_message(explorer, "%.*s", (int)strcspn(wrong, "\n"), wrong);
		explorer->alarm = true;
	}
	if (config_add_path(&path) && !config_source(explorer, path.data, &err) && errno != ENOENT)
		explorer_fail(explorer, &err);
}

const struct command commands_config[] = {
	{"key", "KEY COMMAND", TAKES_LINE,
     "Binds a key, named as on the ? screen, in all views: to one command, or to several with ; "
     "between them",
     .run = config_key},
	{"color", "STYLE COLOR [COLOR] [ATTRIBUTE ...]", TAKES_STYLE,
     "Sets the colors of a style, of letters and of what is behind them: a name such as blue, "
     "default, or a number below 256; bold, dim, underline and reverse may follow",
     .run = config_color},
	{"source", "[FILE]", TAKES_FILE,
     "Runs the commands of a file, a line each; without a name, of the config file, which the "
     "explorer runs when it starts",
     .run = config_source_command},
	{0},
};
