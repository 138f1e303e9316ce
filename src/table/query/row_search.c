/* Searches rows for a text: table/query/filter.h. */
#include "base/mem.h"
#include "table/naming/shorten.h"
#include "table/query/filter.h"

#include <stdlib.h>
#include <string.h>

/* Returns true if a value of the kind, as text for display, can have all characters of the text. */
static bool may_contain(enum value_kind kind, const char *text)
{
	static const char *const alphabet[] = {
		[VALUE_ID] = "0123456789-",
		[VALUE_COUNT] = "0123456789,-",
		[VALUE_BYTES] = "0123456789.,- BKMGTPEbkmgtpe",
		[VALUE_ADDRESS] = "0123456789abcdefxABCDEFX-",
		[VALUE_OFFSET] = "0123456789abcdefxABCDEFX+-",
		[VALUE_BOOL] = "yesnoYESNO",
		[VALUE_TIME] = "0123456789.- nusmihdayNUSMIHDAY",
		[VALUE_NONE] = "",
	};
	const char *all = kind < sizeof alphabet / sizeof *alphabet ? alphabet[kind] : NULL;
	return !all || !text[strspn(text, all)];
}

/* Searches the text of a cell, and its form with shortened package paths, which a screen may
   show. */
static bool cell_contains(const struct buf *cell, const char *text)
{
	SCOPED_BUF shorter = {0};
	bool found = strcasestr(buf_text(cell), text);
	if (!found && strchr(buf_text(cell), '/')) {
		shorten_paths(buf_text(cell), &shorter);
		found = strcasestr(buf_text(&shorter), text);
	}
	return found;
}

/* Returns true for the whole path of a tree's row: it repeats the names of all rows above. */
static bool repeats_rows_above(const struct table *table, int column)
{
	return table->tree && strcmp(table->columns[column].name, "expression") == 0;
}

static void row_search_forget(struct row_search *search)
{
	codes_free_all(&search->codes);
	free(search->possible);
	search->possible = NULL;
	search->columns = 0;
	search->rows = NULL;
}

void row_search_begin(struct row_search *search, const char *text)
{
	row_search_forget(search);
	search->text = text;
}

void row_search_fini(struct row_search *search)
{
	row_search_forget(search);
	buf_free(&search->cell);
}

static bool row_search_possible(const struct table *table, int column, const char *text)
{
	const struct column *c = &table->columns[column];
	return !repeats_rows_above(table, column) && !c->on_request
	       && (c->any_kind || c->is_field || table->makes_columns || may_contain(c->kind, text));
}

static bool row_search_cell(struct row_search *search, size_t row, int column)
{
	struct value value = {.text = &search->cell};
	buf_clear(&search->cell);
	rows_cell(search->rows, row, column, &value);
	if (!may_contain(value.kind, search->text))
		return false;
	if (value.kind != VALUE_TEXT) {
		buf_clear(&search->cell);
		rows_text(search->rows, row, column, &search->cell);
	}
	return cell_contains(&search->cell, search->text);
}

static bool row_search_column(struct row_search *search, size_t row, int column)
{
	struct codes *codes = codes_of_column(&search->codes, search->rows, column);
	uint32_t code = codes ? codes_at(codes, row) : CODE_NONE;
	uint8_t *known = code == CODE_NONE ? NULL : codes_note(codes, code);
	if (known && *known)
		return *known - 1;
	bool contains = row_search_cell(search, row, column);
	if (known)
		*known = 1 + contains;
	return contains;
}

bool row_search_matches(struct row_search *search, const struct rows *rows, size_t row)
{
	if (search->rows != rows) {
		row_search_forget(search);
		search->rows = rows;
		search->columns = rows->table->column_count;
		search->possible = mem_alloc((size_t)search->columns + 1);
		for (int i = 0; i < search->columns; i++)
			search->possible[i] = row_search_possible(rows->table, i, search->text);
	}
	for (int i = 0; i < search->columns; i++)
		if (search->possible[i] && row_search_column(search, row, i))
			return true;
	return false;
}
