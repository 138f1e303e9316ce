/* The commands by topic, one table a file; src/ui/command_groups.c puts them together. */
#ifndef UI_COMMAND_GROUPS_H
#define UI_COMMAND_GROUPS_H

#include "ui/command.h"

extern const struct command commands_go[], commands_move[], commands_search[], commands_sort[],
	commands_what_if[], commands_tree[], commands_breakdown[], commands_shell[], commands_misc[],
	commands_edit[];

/* A number of rows; 1 when none is given. */
bool command_count(const char *argument, long *count, struct err *err);

#endif
