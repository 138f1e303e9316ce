/* The commands by topic, one table per file, combined by src/ui/command_groups.c. */
#ifndef UI_COMMAND_GROUPS_H
#define UI_COMMAND_GROUPS_H

#include "ui/command.h"

extern const struct command commands_go[], commands_move[], commands_search[], commands_list[],
	commands_path[], commands_hex[], commands_what_if[], commands_tree[], commands_breakdown[],
	commands_shell[], commands_misc[], commands_edit[];

/* Parses a number of rows; 1 for an empty argument. */
bool command_count(const char *argument, long *count, struct err *err);

#endif
