/* Names that are accepted instead of those of tables, commands and subcommands: former ones, and
   words that other tools and articles use. */
#pragma once

struct former_name {
	const char *former, *now;
};
extern const struct former_name former_names[]; /* former NULL at the end */

/* Returns the current name; `name` itself if it is not a former name. */
const char *current_name(const char *name);

/* A word of other heap and profile tools. */
struct field_word {
	const char *word;
	const char *command; /* of the explorer: a view or table, with its argument */
	const char *says;    /* what it is called elsewhere, or what to do instead; a sentence */
	const char *filter;  /* of the rows of that table; NULL: all */
};
extern const struct field_word field_words[]; /* word NULL at the end */
/* Returns the entry of a word, NULL: none. */
const struct field_word *field_word_find(const char *word);
