/* Texts of rows in columns with a key (struct column), which many rows share: each is made once. */
#pragma once

#include "base/map.h"
#include "table/table.h"

struct sql_texts {
	struct map *of; /* by column: key -> place in `text`; NULL: none yet */
	int columns;
	char **text;
	size_t count, capacity;
};

/* Returns the text of a cell, which lives as long as the texts; NULL: the cell has no key, or is no
   text, or there are too many. `text` is for its use. */
const char *sql_texts_get(struct sql_texts *texts, const struct rows *rows, size_t row, int column,
                          struct buf *text);
void sql_texts_clear(struct sql_texts *texts);
