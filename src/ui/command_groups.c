/* All commands of the explorer, in the order of help and manual. */
#include "ui/command_groups.h"

const struct command *const command_groups[] = {
	commands_go,      commands_move,  commands_search,
	commands_sort,    commands_tree,  commands_breakdown,
	commands_what_if, commands_shell, commands_edit,
	commands_misc,    NULL,
};
