/* Completion of SQL statements. */
#ifndef MAIN_SQL_WORDS_H
#define MAIN_SQL_WORDS_H

#include <stddef.h>

/* Returns the words that begin with `word` and may follow `before`; *count is their number. The
   caller frees each and the array. Keywords have the case of `word`. */
char **sql_words(const char *before, const char *word, size_t *count);

#endif
