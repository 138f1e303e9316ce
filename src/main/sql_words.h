/* What may stand at a place of a statement: for Tab. */
#ifndef MAIN_SQL_WORDS_H
#define MAIN_SQL_WORDS_H

#include <stddef.h>

/* The words that begin with `word` and may follow `before`: *count of them, each to be freed, as
   the array. Those of the language come in the case in which the word has been begun. */
char **sql_words(const char *before, const char *word, size_t *count);

#endif
