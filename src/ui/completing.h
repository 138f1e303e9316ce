/* The state that src/ui/complete*.c share. */
#pragma once

#include "table/table.h"
#include "ui/explorer.h"

struct completion {
	struct explorer *explorer;
	const char *prefix;
	size_t prefix_len;
	const char *command; /* the first word of the line */
	const char *before;  /* what stands between the command and the prefix */
	bool first;          /* nothing stands between the command and the prefix */
	char **words;        /* sorted, each once */
	size_t count, capacity;
};

/* Adds a word if it begins with the prefix and is new. */
void completion_add(struct completion *c, const char *word);
/* Adds the cells of a column, given as "table.column". */
void completion_add_cells(struct completion *c, const char *source);
/* Returns the table of the current list, NULL: none. */
const struct table *completion_table(const struct completion *c);

/* Adds the fields of the object on the cursor's row. */
void complete_fields(struct completion *c);

/* Returns true if the name can be typed as an argument. */
bool complete_is_word(const char *name);
/* Adds the files that the rest of the line may name, unless there are words already. */
void complete_files(struct completion *c);
/* Adds the other runtimes of the process: their files, by name, or by path where one is typed. */
void complete_runtimes(struct completion *c);

/* Adds what may follow the text of a filter before the prefix. */
void complete_filter(struct completion *c, const char *before);
