/* Completion scripts, one function a shell, made from the tables of options, subcommands and
 * tables. */
#ifndef MAIN_COMPLETION_H
#define MAIN_COMPLETION_H

#include "base/buf.h"
#include "main/commands.h"
#include "table/table.h"

void completion_bash(struct buf *out);
void completion_fish(struct buf *out);
void completion_zsh(struct buf *out);

/* One line for each subcommand whose only operand is one of a few words, as in "list|clear":
   `before`, the subcommand, `between`, the words with a blank behind each, `after`. */
void completion_add_operands(struct buf *out, const char *before, const char *between,
                             const char *after);
/* The same for each table whose argument may be one of a few words: those of
   "[reachable|unreachable|size=N]" without N, but not what stands for something else, as in
   "[KIND|VARIABLE]". */
void completion_add_arguments(struct buf *out, const char *before, const char *between,
                              const char *after);
/* Is one of its operands a file? */
bool completion_takes_files(const struct subcommand *subcommand);

#endif
