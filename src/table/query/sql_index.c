#include "table/query/sql_index.h"

#include "base/mem.h"
#include "table/naming/argument.h"

#include <stdlib.h>
#include <string.h>

bool sql_index_has(const struct table *table, int column)
{
	const struct column *c = &table->columns[column];
	bool address = c->kind == VALUE_ADDRESS && strcmp(table->name, "objects") == 0;
	return !table->tree && !c->any_kind
	       && (address || (column_is_coded(c) && c->kind == VALUE_TEXT));
}

/* What is looked up. */
struct sql_wanted {
	struct sql_table *t;
	int column;
	const char *text;
	uint64_t key; /* of an address */
	struct buf cell;
};

/* Compares the cell of a row with what is looked up, in the order of the rows. */
static int sql_index_compare(struct sql_wanted *wanted, size_t row)
{
	const struct rows *rows = wanted->t->all;
	struct value value = {.text = &wanted->cell};
	bool address = rows->table->columns[wanted->column].kind == VALUE_ADDRESS;
	struct codes *codes = address ? NULL : codes_of_column(&wanted->t->codes, rows, wanted->column);
	uint32_t code = codes ? codes_at(codes, row) : CODE_NONE;
	if (code != CODE_NONE)
		return strcmp(codes_text(codes, code), wanted->text);
	buf_clear(&wanted->cell);
	rows_cell(rows, row, wanted->column, &value);
	if (!address)
		return strcmp(buf_text(&wanted->cell), wanted->text);
	uint64_t key = value_sort_key(&value, false);
	return key < wanted->key ? -1 : key > wanted->key;
}

/* Returns the place in the order of the first row whose cell is at (`behind`: behind) the wanted
 * one.
 */
static size_t sql_index_place(struct sql_wanted *wanted, const uint32_t *order, bool behind)
{
	size_t first = 0, end = wanted->t->all->count;
	while (first < end) {
		size_t middle = first + (end - first) / 2;
		int compared = sql_index_compare(wanted, order[middle]);
		if (compared < 0 || (behind && compared == 0))
			first = middle + 1;
		else
			end = middle;
	}
	return first;
}

bool sql_index_find(struct sql_table *t, int column, const char *text, size_t **row, size_t *count)
{
	struct sql_wanted wanted = {.t = t, .column = column, .text = text};
	struct value address = {.kind = VALUE_ADDRESS};
	*row = NULL;
	*count = 0;
	if (t->table->columns[column].kind == VALUE_ADDRESS && !argument_address(text, &address.number))
		return true;
	wanted.key = value_sort_key(&address, false);
	if (!t->index)
		t->index = mem_alloc((size_t)t->table->column_count * sizeof *t->index);
	if (!t->index[column])
		t->index[column] = rows_sorted(t->all, column, false, t->database->progress);
	const uint32_t *order = t->index[column];
	if (!order)
		return false;
	size_t first = sql_index_place(&wanted, order, false);
	*count = sql_index_place(&wanted, order, true) - first;
	*row = mem_alloc((*count + 1) * sizeof **row);
	for (size_t i = 0; i < *count; i++)
		(*row)[i] = order[first + i];
	buf_free(&wanted.cell);
	return true;
}

void sql_index_free(struct sql_table *t)
{
	for (int i = 0; t->index && i < t->table->column_count; i++)
		free(t->index[i]);
	free(t->index);
}
