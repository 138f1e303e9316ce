/* Forms of a table: tables with other rows about the same, which are chosen by a word. The table
   types-size is a form of types: --group size on the command line, `by size` at the end of an
   argument, types_size in SQL. The words tree and list are options of their own. */
#pragma once

#include "table/table.h"

/* Returns true if lists of tables have it: it is neither a form nor rare. */
bool table_is_listed(const struct table *table);
/* Returns the next form of a table, in the order of all tables; `after` NULL: the first. NULL:
   there are no more. */
const struct table *table_next_form(const struct table *table, const struct table *after);
/* Returns the words that --group takes for a form, with | between; NULL: another option or an
   argument chooses it. */
const char *table_form_groups(const struct table *form);
/* Appends how the command line chooses a form: " --group stack", " --tree", " ADDR ADDR". */
void table_form_add_option(const struct table *form, struct buf *out);
/* Returns the form that a word chooses: of those that require an argument only if there is one.
   NULL: none. */
const struct table *table_form(const struct table *table, const char *word, bool argued);
/* Returns the table that an argument chooses: the form of its last words "by WORD", or the one that
   takes an argument where the table takes none; else the table. Appends the argument for it. */
const struct table *table_of_argument(const struct table *table, const char *argument,
                                      struct buf *rest);
/* Appends " by WORD" where that ends the argument of a form. */
void table_form_add_word(const struct table *form, const char *word, struct buf *argument);
