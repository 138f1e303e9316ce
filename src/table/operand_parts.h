/* What the files that read operands (table/operand.h) share. */
#ifndef TABLE_OPERAND_PARTS_H
#define TABLE_OPERAND_PARTS_H

#include "table/operand.h"

static const char operand_blanks[] = " \t";

/* May what names a thing end here: at a blank, at a step? */
bool operand_ends_here(const char *text);
/* Decimal, behind a word: "goroutine 17", "goroutine=17", "@17". False: it is no such. */
bool operand_read_number(const char *text, const char *word, uint64_t *number, const char **end);
/* A goroutine with what is in it. True: it is one, be it a good one or not. */
bool operand_read_goroutine(const struct analysis *analysis, const char *text, struct operand *o,
                            bool *good, struct err *err);

#endif
