/* Shared by the files that parse operands (table/naming/operand.h). */
#pragma once

#include "table/naming/operand.h"

static const char operand_blanks[] = " \t";

/* Returns true if the name of an operand can end here: at a blank, at a step. */
bool operand_ends_here(const char *text);
/* Parses a decimal number after a word: "group=17", "@17". False: it is
   none. */
bool operand_read_number(const char *text, const char *word, uint64_t *number, const char **end);
/* Parses a thread with its frame and word. True: it is a thread; *good says whether it
   exists. */
bool operand_read_thread(const struct analysis *analysis, const char *text, struct operand *o,
                         bool *good, struct err *err);
/* In operand_printed.c: reads the name of a root, and the steps behind it that the format of the
   dump names; "main.Session 0xc000012340". False: it is none, or *err says that several have the
   name.
 */
bool operand_read_printed(const struct analysis *analysis, const char *text, struct operand *o,
                          struct err *err);
bool operand_read_label(const struct analysis *analysis, const char *text, struct operand *o);

/* In operand_sets.c: reads what names several objects, if that is more of the text than *o is, as
   the first of them. False: nothing does; *err where [*] says that it should. */
bool operand_read_set(const struct analysis *analysis, const char *text, struct operand *o,
                      struct err *err);
/* Returns true if what follows an operand cannot be another one. */
bool operand_leaves(const char *rest);

/* Returns true if a frame is written as its thread is printed, with the function that it runs. */
bool operand_is_thread(const struct analysis *analysis, const struct operand *operand);
