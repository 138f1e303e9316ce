/* The SQL shell: goheapx sql DUMP without a query. */
#ifndef MAIN_SQL_SHELL_H
#define MAIN_SQL_SHELL_H

#include "main/subcommand.h"

/* Reads queries, each up to its ;, and answers them: from a terminal with a line editor, or else
   from the standard input, up to the first error. */
enum status sql_shell_run(const struct options *options);

struct sql_shell_command {
	const char *name, *argument, *help; /* argument NULL: none */
};
extern const struct sql_shell_command sql_shell_commands[]; /* name NULL at the end */

#endif
