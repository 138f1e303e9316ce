/* All commands of the explorer, in the order of help and manual. */
#include "ui/command.h"

#include "table/naming/former_names.h"

#include <string.h>

const struct command *const command_groups[] = {
	commands_go,     commands_move,  commands_search,    commands_list,
	commands_path,   commands_tree,  commands_breakdown, commands_what_if,
	commands_shell,  commands_edit,  commands_misc,      commands_note,
	commands_config, commands_agent, commands_hex,       NULL,
};

/* Returns the first command with a name that views of a kind have; 0: of any kind. */
static const struct command *command_of(const char *name, unsigned kinds)
{
	for (size_t group = 0; command_groups[group]; group++)
		for (const struct command *command = command_groups[group]; command->name; command++)
			if (strcmp(command->name, name) == 0 && (!kinds || command->of & kinds))
				return command;
	return NULL;
}

const struct command *command_find(const char *name)
{
	return command_of(current_name(name), 0);
}

const struct command *command_in(const struct view *view, const char *word)
{
	return view->ops->commands ? command_of(word, view->ops->commands) : NULL;
}

bool command_run_in(struct view *view, const char *word, const char *argument, struct err *err)
{
	const struct command *command = command_in(view, word);
	const struct call call = {view->explorer, view, command, argument, err};
	return command->run(&call);
}
