/* The command language: splits lines, resolves words, runs commands. */
#include "ui/command.h"

#include "base/text.h"
#include "table/naming/former_names.h"
#include "table/naming/nearest.h"
#include "table/table.h"
#include "ui/state.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Returns what the first word of a command line names: a command, a view or a table, in this order;
   all zero: nothing. */
static struct command command_named(const char *name)
{
	const struct command *command = command_find(name);
	const struct view_ops *ops = view_find(name);
	const struct table *table = table_find(name);
	if (command)
		return *command;
	if (ops && !ops->of_table)
		return (struct command){name, ops->argument, ops->takes, ops->help, .run = NULL};
	if (table)
		return (struct command){name, table->argument, table->takes, table->help, .run = NULL};
	return (struct command){0};
}

const char *command_help(const char *name, const char **argument)
{
	struct command command = command_named(name);
	if (argument)
		*argument = command.argument;
	return command.help;
}

unsigned command_takes(const char *name)
{
	return command_named(name).takes;
}

void command_each(void (*visit)(void *self, const char *name, const char *argument,
                                const char *help),
                  void *self)
{
	for (size_t group = 0; command_groups[group]; group++)
		for (const struct command *command = command_groups[group]; command->name; command++)
			if (command->help)
				visit(self, command->name, command->argument, command->help);
	const struct view_ops *ops;
	for (size_t i = 0; (ops = view_at(i)); i++)
		if (!ops->of_table && !command_find(ops->name))
			visit(self, ops->name, ops->argument, ops->help);
	for (const struct table *const *table = tables; *table; table++)
		if (!command_find((*table)->name) && !view_find((*table)->name))
			visit(self, (*table)->name, (*table)->argument, (*table)->help);
}

/* Appends the text before a ';' or a blank (with `word`) outside of quotes; a doubled quote inside
   quotes stands for one. Returns where it ended. */
static const char *command_take(const char *at, bool word, struct buf *out)
{
	bool quoted = false;
	for (; *at && *at != '\n'; at++) {
		if (*at == '"' && quoted && at[1] == '"') {
			at++;
		} else if (*at == '"' && (quoted || strchr(at + 1, '"'))) {
			quoted = !quoted;
			continue;
		}
		if (!quoted && (*at == ';' || (word && *at == ' ')))
			break;
		buf_add_char(out, *at);
	}
	return at;
}

/* Like command_take, but keeps quotes of both kinds, which belong to the expression. */
static const char *take_expression(const char *at, struct buf *out)
{
	char quote = '\0';
	for (; *at && *at != '\n' && (quote || *at != ';'); at++) {
		if (quote ? *at == quote : *at == '"' || *at == '\'')
			quote = quote ? '\0' : *at;
		buf_add_char(out, *at);
	}
	return at;
}

/* Returns "filter" for ":where size > 4k", like the option --where; the table where takes no
   argument. */
static const char *command_meant(const char *word, const char *argument)
{
	return strcmp(word, "where") == 0 && *argument ? "filter" : word;
}

/* Names that begin with a word. */
struct abbreviation {
	const char *word, *name;
	size_t count;
};

static void abbreviation_see(void *self, const char *name, const char *argument, const char *help)
{
	struct abbreviation *abbreviation = self;
	(void)argument, (void)help;
	if (strncmp(name, abbreviation->word, strlen(abbreviation->word)) != 0)
		return;
	abbreviation->name = name;
	abbreviation->count++;
}

/* Completes a unique prefix: "obj" becomes objects if no other name begins so. */
static void command_complete_word(struct buf *word)
{
	struct abbreviation abbreviation = {.word = buf_text(word)};
	if (!word->len || !isalpha((unsigned char)*word->data) || command_help(buf_text(word), NULL))
		return;
	if (strcmp(abbreviation.word, "q") == 0 || strcmp(abbreviation.word, "w") == 0) {
		/* These win over all other names with the same prefix. */
		buf_add(word, *abbreviation.word == 'q' ? "uit" : "rite");
		return;
	}
	command_each(abbreviation_see, &abbreviation);
	if (abbreviation.count != 1)
		return;
	buf_clear(word);
	buf_add(word, abbreviation.name);
}

const char *command_split(const char *line, struct buf *word, struct buf *argument)
{
	line += strspn(line, " \t\n;");
	line = command_take(line, true, word);
	command_complete_word(word);
	line += strspn(line, " \t");
	size_t before = argument->len;
	/* Quotes belong to a filter, and to a path with keys. An argument that is quoted as a whole
	   comes from a link, and loses its quotes. */
	unsigned takes = command_takes(command_meant(buf_text(word), line));
	bool expression = takes & TAKES_FILTER || (takes & (TAKES_PLACE | TAKES_FIELD) && *line != '"');
	line = expression ? take_expression(line, argument) : command_take(line, false, argument);
	bool quoted = !expression && line[-(*line != '\0' || argument->len > before)] == '"';
	while (!quoted && argument->len > before && argument->data[argument->len - 1] == ' ')
		argument->data[--argument->len] = '\0';
	return *line ? line + 1 : NULL;
}

bool command_pair(const char *text, char between, int *first, int *second)
{
	char *end;
	if (!isdigit((unsigned char)*text))
		return false;
	unsigned long one = strtoul(text, &end, 10);
	if (*end != between || !isdigit((unsigned char)end[1]))
		return false;
	unsigned long two = strtoul(end + 1, &end, 10);
	if (*end || one > 9999 || two > 9999)
		return false;
	*first = (int)one;
	*second = (int)two;
	return true;
}

/* Fills in a missing argument that names an object: the one on the cursor's row. */
static bool complete_address(struct explorer *explorer, unsigned takes, const char *given,
                             struct buf *argument, struct err *err)
{
	buf_add(argument, given);
	if (*given || !(takes & (TAKES_THIS_OBJECT | TAKES_THIS_HOLDER)))
		return true;
	const struct view *view = explorer_view(explorer);
	if (takes & TAKES_THIS_HOLDER && view->ops->holder)
		view->ops->holder(view, view->cursor, argument);
	uint64_t address = explorer_address(explorer);
	if (argument->len)
		return true;
	if (address == 0)
		return err_set(err, "There is no object on this row: go to one, or give an address");
	buf_addf(argument, "0x%llx", (unsigned long long)address);
	return true;
}

/* Opens a view, or the view of a table. */
static bool command_open(struct explorer *explorer, const struct view_ops *ops,
                         const struct table *table, const char *given, struct err *err)
{
	struct buf argument = {0}, line = {0};
	bool done =
		complete_address(explorer, table ? table->takes : ops->takes, given, &argument, err);
	if (table)
		buf_addf(&line, "%s%s", table->name, argument.len ? " " : "");
	buf_add(&line, buf_text(&argument));
	done = done
	       && explorer_show(explorer, table ? view_of_table(table) : ops, buf_text(&line), err);
	buf_free(&argument);
	buf_free(&line);
	return done;
}

static bool command_run(struct explorer *explorer, const struct command *command,
                        const char *argument, struct err *err)
{
	struct view *view = explorer_view(explorer);
	const struct call call = {explorer, view, command, argument, err};
	size_t cursor = view->cursor;
	if (!command->run(&call))
		return false;
	if (command->of && explorer_view(explorer) == view) /* unless it has opened another view */
		view_stack_note(&explorer->view_stack, cursor, command->name, argument);
	return true;
}

static void command_see(void *nearest, const char *name, const char *argument, const char *help)
{
	(void)argument, (void)help;
	nearest_see(nearest, name);
}

static bool command_fail_unknown(const char *word, struct err *err)
{
	struct nearest nearest = {.wanted = word};
	struct buf visible = {0}, meant = {0};
	text_add_escaped(&visible, word, strlen(word), 60);
	command_each(command_see, &nearest);
	nearest_add_meant(&nearest, "", &meant);
	err_set(err, "There is no command \"%s\"%s: ? shows all of them", buf_text(&visible),
	        buf_text(&meant));
	buf_free(&visible);
	buf_free(&meant);
	return false;
}

bool explorer_run(struct explorer *explorer, const char *word, const char *argument,
                  struct err *err)
{
	word = current_name(command_meant(word, argument));
	const struct view *view = explorer_view(explorer);
	const struct command *command = command_find(word);
	const struct command *own = command_in(view, word);
	if (own && !(view->ops->passes && view->ops->passes(view, word)))
		command = own;
	else if (command && command->of)
		return err_set(err, "%s", command->elsewhere);
	if (command)
		return command_run(explorer, command, argument, err);
	const struct view_ops *ops = view_find(word);
	if (ops && !ops->of_table)
		return command_open(explorer, ops, NULL, argument, err);
	const struct table *table = table_find(word);
	if (table)
		return command_open(explorer, NULL, table, argument, err);
	if (strncmp(word, "0x", 2) == 0)
		return command_run(explorer, command_find("goto"), word, err);
	if (*word && word[strspn(word, "0123456789")] == '\0')
		return command_run(explorer, command_find("row"), word, err);
	return command_fail_unknown(word, err);
}

bool explorer_command(struct explorer *explorer, const char *line)
{
	bool done = true;
	const char *first = line ? line + strspn(line, " \t") : "";
	if (*first == '!' || *first == '|') { /* the shell gets the whole line: ":!ls; ls" */
		struct err err = {0};
		const char *command = first + 1 + strspn(first + 1, " ");
		explorer_message(explorer, "%s", "");
		done = explorer_run(explorer, *first == '!' ? "shell" : "pipe", command, &err);
		explorer_fail(explorer, &err);
		return done;
	}
	search_task_rest(explorer);
	explorer_message(explorer, "%s", "");
	while (line && done) {
		struct buf word = {0}, argument = {0};
		struct err err = {0};
		line = command_split(line, &word, &argument);
		if (word.len)
			done = explorer_run(explorer, buf_text(&word), buf_text(&argument), &err);
		explorer_fail(explorer, &err);
		if (line && done)
			explorer_finish(explorer);
		done = done && !explorer->alarm;
		buf_free(&word);
		buf_free(&argument);
	}
	return done;
}
