/* Completion scripts, one function per shell, generated from the tables of options, subcommands and
   tables. */
#pragma once

#include "base/buf.h"
#include "main/commands.h"
#include "table/forms.h"

void completion_bash(struct buf *out);
void completion_fish(struct buf *out);
void completion_zsh(struct buf *out);

/* What does not depend on the tables: the files of src/main/docs/texts. */
extern const char script_bash[], script_zsh[], functions_zsh[];

/* Appends a line for each subcommand whose only operand is one of some words, as in "list|clear":
   `before`, the subcommand, `between`, the words with a blank after each, `after`. */
void completion_add_operands(struct buf *out, const char *before, const char *between,
                             const char *after);
/* Likewise for each table whose argument may be one of some words: those of
   "[reachable|unreachable|size=N]" without N, but not placeholders as in "[KIND|VARIABLE]". */
void completion_add_arguments(struct buf *out, const char *before, const char *between,
                              const char *after);
/* Likewise for each table that has forms, with the words that --group takes. */
void completion_add_groups(struct buf *out, const char *before, const char *between,
                           const char *after);
/* Returns true if one of its operands is a file. */
bool completion_takes_files(const struct subcommand *subcommand);
