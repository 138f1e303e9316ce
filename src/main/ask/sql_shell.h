/* The SQL shell: goheapx sql DUMP without a query. */
#pragma once

#include "base/buf.h"
#include "base/task.h"
#include "main/subcommand.h"

#include <stddef.h>

/* Reads queries, each up to its ;, and answers them: from a terminal with a line editor, or else
   from the standard input, up to the first error. */
enum status sql_shell_run(const struct options *options);

struct sql_shell_command {
	const char *name, *argument, *help; /* argument NULL: none */
};
extern const struct sql_shell_command sql_shell_commands[]; /* name NULL at the end */

/* ---- Lines on a terminal: readline through its callback interface, so that ^C only discards a
   line. Readline is a singleton, so the state is static. */

enum sql_line { SQL_LINE, SQL_LINE_END, SQL_LINE_INTERRUPTED };

/* Sets up readline. A signal handler sets `interrupted` and then wakes `wake`. */
void sql_line_open(const struct wake *wake, const atomic_bool *interrupted);
/* Appends a line without its end. `before`: the earlier lines of the statement, for completion. */
enum sql_line sql_line_read(const char *prompt, const char *before, struct buf *line);
/* Adds a statement to the history, which is also saved for later sessions. */
void sql_line_remember(const char *statement);

/* ---- Completion */

/* Returns the words that begin with `word` and may follow `before`; *count is their number. The
   caller frees each and the array. Keywords have the case of `word`. */
char **sql_words(const char *before, const char *word, size_t *count);
