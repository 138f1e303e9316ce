/* The parts of completion: src/ui/complete*.c. */
#ifndef UI_COMPLETING_H
#define UI_COMPLETING_H

#include "table/table.h"
#include "ui/explorer.h"

struct completion {
	struct explorer *explorer;
	const char *prefix;
	size_t prefix_len;
	const char *command; /* first word of the line */
	char **words;        /* sorted, each once */
	size_t count, capacity;
};

/* Adds a word if it begins with the prefix and is not there yet. */
void completion_add(struct completion *c, const char *word);
/* Adds what stands in a column of a table, given as "table.column". */
void completion_add_cells(struct completion *c, const char *source);
/* The table of the list that is open, NULL: there is none. */
const struct table *completion_table(const struct completion *c);

/* Adds the fields of the object that the cursor is on. */
void complete_fields(struct completion *c);

/* Adds what may follow the text of a filter up to the prefix. */
void complete_filter(struct completion *c, const char *before);

#endif
