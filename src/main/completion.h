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

/* The words that the only operand of a subcommand may be, as in "list|clear", each followed by a
   blank: nothing where it may be anything. */
void completion_operands(const struct subcommand *subcommand, struct buf *out);
/* Is one of its operands a file? */
bool completion_takes_files(const struct subcommand *subcommand);

/* The words that a table's argument may be: those of "[reachable|unreachable|size=N]" without N,
   but not what stands for something else, as in "[KIND|VARIABLE]". Each is followed by a blank. */
void completion_words(const struct table *table, struct buf *out);

#endif
