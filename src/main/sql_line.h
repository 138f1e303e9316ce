/* Lines of the shell for SQL, as a person types them: readline through its callback interface, so
   that ^C ends a line and nothing else. There is one readline, so there is one state. */
#ifndef MAIN_SQL_LINE_H
#define MAIN_SQL_LINE_H

#include "base/buf.h"
#include "base/task.h"

enum sql_line { SQL_LINE, SQL_LINE_END, SQL_LINE_INTERRUPTED };

/* `interrupted` is set by a signal, which then wakes. */
void sql_line_open(const struct wake *wake, const atomic_bool *interrupted);
/* Appends a line without its end. `before`: the lines of the statement so far, for completion. */
enum sql_line sql_line_read(const char *prompt, const char *before, struct buf *line);
/* For the arrow keys, now and in later runs. */
void sql_line_remember(const char *statement);

#endif
