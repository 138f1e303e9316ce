#include "table/query/sql_texts.h"

#include "base/mem.h"

#include <stdlib.h>

enum { TEXTS_MOST = 1 << 20 };

const char *sql_texts_get(struct sql_texts *texts, const struct rows *rows, size_t row, int column,
                          struct buf *text)
{
	uint64_t key = rows_key(rows, row, column), place = 0;
	struct value value = {.text = text};
	if (!key)
		return NULL;
	if (!texts->of) {
		texts->columns = rows->table->column_count;
		texts->of = mem_alloc((size_t)texts->columns * sizeof *texts->of);
	}
	if (map_get(&texts->of[column], key, &place))
		return texts->text[place];
	if (texts->count == TEXTS_MOST)
		return NULL;
	buf_clear(text);
	rows_cell(rows, row, column, &value);
	if (value.kind != VALUE_TEXT)
		return NULL;
	map_put(&texts->of[column], key, texts->count);
	MEM_PUSH(texts->text, texts->count, texts->capacity, mem_strdup(buf_text(text)));
	return texts->text[texts->count - 1];
}

void sql_texts_clear(struct sql_texts *texts)
{
	for (int i = 0; i < texts->columns; i++)
		map_free(&texts->of[i]);
	free(texts->of);
	for (size_t i = 0; i < texts->count; i++)
		free(texts->text[i]);
	free(texts->text);
	*texts = (struct sql_texts){0};
}
