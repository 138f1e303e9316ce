/* The command language: runs lines and single commands. */
#include "ui/command.h"

#include "base/text.h"
#include "table/forms.h"
#include "table/naming/former_names.h"
#include "table/naming/nearest.h"
#include "table/table.h"
#include "ui/state.h"

#include <string.h>

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
	SCOPED_BUF argument = {0}, line = {0}, rest = {0};
	if (table) {
		table = table_of_argument(table, given, &rest);
		given = buf_text(&rest);
	}
	bool done =
		complete_address(explorer, table ? table->takes : ops->takes, given, &argument, err);
	if (table)
		buf_addf(&line, "%s%s", table->name, argument.len ? " " : "");
	buf_add(&line, buf_text(&argument));
	done = done
	       && explorer_show(explorer, table ? view_of_table(table) : ops, buf_text(&line), err);
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

static void command_add_second(void *seconds, const char *second, const char *help)
{
	struct buf *out = seconds;
	(void)help;
	buf_addf(out, "%s%s", out->len ? ", " : "", second);
}

static bool command_fail_unknown(const char *word, struct err *err)
{
	SCOPED_BUF seconds = {0};
	command_each_second(word, command_add_second, &seconds);
	if (seconds.len)
		return err_set(err, "The command %s needs one of: %s", word, buf_text(&seconds));
	struct nearest nearest = {.wanted = word};
	SCOPED_BUF visible = {0}, meant = {0};
	text_add_escaped(&visible, word, strlen(word), 60);
	command_each(command_see, &nearest);
	nearest_add_meant(&nearest, "", &meant);
	return err_set(err, "There is no command \"%s\"%s: ? shows all of them", buf_text(&visible),
	               buf_text(&meant));
}

/* Returns true if the view that loads has the command, which runs when it opens. */
static bool command_waits(struct explorer *explorer, const struct command *command)
{
	struct view_stack *view_stack = &explorer->view_stack;
	return view_stack_waits(view_stack) && view_stack_here(view_stack)->ops->commands & command->of;
}

/* Appends the name that two words are, as "gc roots" is gc-roots, unless the first one is a name by
   itself. False: none. */
static bool command_join(const char *word, const char *argument, struct buf *out)
{
	buf_addf(out, "%s-%s", word, argument);
	const char *name = buf_text(out);
	bool first = command_find(word) || view_find(word) || table_find(word);
	return *argument
	       && (field_word_find(name)
	           || (!first && (command_find(name) || view_find(name) || table_find(name))));
}

bool explorer_run(struct explorer *explorer, const char *word, const char *argument,
                  struct err *err)
{
	SCOPED_BUF joined = {0};
	if (command_join(word, argument, &joined))
		return explorer_run(explorer, buf_text(&joined), "", err);
	word = current_name(command_meant(word, argument));
	const struct view *view = explorer_view(explorer);
	const struct command *command = command_find(word);
	const struct command *own = command_in(view, word);
	if (own && !(view->ops->passes && view->ops->passes(view, word)))
		command = own;
	else if (command && command->of && command_waits(explorer, command)) {
		view_stack_note(&explorer->view_stack, 0, command->name, argument);
		return true;
	} else if (command && command->of)
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
	const struct field_word *other = field_word_find(word);
	if (!other && *word && word[strspn(word, "0123456789")] == '\0')
		return command_run(explorer, command_find("row"), word, err);
	if (!other)
		return command_fail_unknown(word, err);
	SCOPED_BUF name = {0}, rest = {0};
	command_split(other->command, &name, &rest);
	return explorer_run(explorer, buf_text(&name), rest.len ? buf_text(&rest) : argument, err)
	       && (!other->filter || explorer_run(explorer, "filter", other->filter, err));
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
		SCOPED_BUF word = {0}, argument = {0};
		struct err err = {0};
		line = command_split(line, &word, &argument);
		if (word.len)
			done = explorer_run(explorer, buf_text(&word), buf_text(&argument), &err);
		explorer_fail(explorer, &err);
		if (line && done)
			explorer_finish(explorer);
		done = done && !explorer->alarm;
	}
	return done;
}
