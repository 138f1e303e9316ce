/* The rows of a table in the oldest earlier dump, found by the texts of their keys: part of
   table/growth/delta.h. */
#include "table/growth/delta.h"

#include "base/hash.h"
#include "base/mem.h"

#include <stdlib.h>

static uint64_t delta_hash(const struct rows *rows, size_t row, struct buf *text)
{
	uint64_t hash = hash_multiplier();
	for (int i = 0; i < rows->table->column_count; i++) {
		struct value value = {.text = text};
		if (rows->table->columns[i].of.how != CLASS_KEY)
			continue;
		buf_clear(text);
		rows_cell(rows, row, i, &value);
		if (value.kind != VALUE_TEXT && value.kind != VALUE_LIST)
			hash = hash_mix(hash, value.number, hash_multiplier());
		hash =
			hash_bytes(hash_mix(hash, (uint64_t)i, hash_multiplier()), buf_text(text), text->len);
	}
	return hash;
}

/* Returns true if a column compares; *retained: with bytes that are only computed for those who
   wait. */
static bool delta_wanted(const struct table *table, bool *retained)
{
	bool wanted = false;
	for (int i = 0; i < table->column_count; i++) {
		int from = table_column(table, table->columns[i].of.from);
		if (table->columns[i].of.how != CLASS_DELTA)
			continue;
		wanted = true;
		*retained |= from >= 0 && table->columns[from].of.how == CLASS_RETAINED;
	}
	return wanted;
}

void delta_begin(struct rows *rows, const char *argument, struct progress *progress,
                 struct err *err)
{
	SCOPED_BUF text = {.without = DELTA_WITHOUT};
	struct delta_rows *before = rows->before = mem_alloc(sizeof *before);
	if (!err->set)
		before->rows = rows_open_watched(rows->table, delta_oldest(rows),
		                                 rows->table->all_before ? NULL : argument, progress, err);
	before->known = before->rows || err->absent;
	for (size_t row = 0; before->rows && !rows->table->before && row < before->rows->count; row++)
		map_put(&before->of_keys, delta_hash(before->rows, row, &text), row);
}

void delta_open(struct rows *rows, const char *argument)
{
	bool retained = false;
	if (delta_oldest(rows) && !rows->before && delta_wanted(rows->table, &retained))
		delta_begin(rows, argument, retained ? rows->progress : NULL, &(struct err){0});
}

/* Returns the row of the oldest dump; SIZE_MAX: there is none. */
size_t delta_row(const struct rows *rows, size_t row)
{
	SCOPED_BUF text = {.without = DELTA_WITHOUT};
	uint64_t found;
	if (!rows->before->rows)
		return SIZE_MAX;
	uint32_t before = rows->table->before ? rows->table->before(rows, row) : UINT32_MAX;
	if (rows->table->before)
		return before == UINT32_MAX ? SIZE_MAX : before;
	return map_get(&rows->before->of_keys, delta_hash(rows, row, &text), &found) ? found : SIZE_MAX;
}

void delta_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct column *at = &rows->table->columns[value->column];
	if (!rows->before || !rows->before->known)
		return;
	size_t was = delta_row(rows, row);
	struct value now = rows_number(rows, row, at->of.from);
	struct value before = was != SIZE_MAX ? rows_number(rows->before->rows, was, at->of.from)
	                                      : (struct value){.kind = now.kind};
	if (now.kind != VALUE_NONE && before.kind != VALUE_NONE)
		cell_delta(value, at->kind, before.number, now.number);
}
