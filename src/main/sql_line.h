/* Input lines of the SQL shell on a terminal: readline through its callback interface, so that ^C
   only discards a line. Readline is a singleton, so the state is static. */
#ifndef MAIN_SQL_LINE_H
#define MAIN_SQL_LINE_H

#include "base/buf.h"
#include "base/task.h"

enum sql_line { SQL_LINE, SQL_LINE_END, SQL_LINE_INTERRUPTED };

/* Sets up readline. A signal handler sets `interrupted` and then wakes `wake`. */
void sql_line_open(const struct wake *wake, const atomic_bool *interrupted);
/* Appends a line without its end. `before`: the earlier lines of the statement, for completion. */
enum sql_line sql_line_read(const char *prompt, const char *before, struct buf *line);
/* Adds a statement to the history, which is also saved for later sessions. */
void sql_line_remember(const char *statement);

#endif
