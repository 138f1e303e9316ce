#include "base/err.h"
#include "main/print/columns.h"
#include "table/contents/field_columns.h"
#include "table/naming/nearest.h"

#include <string.h>

struct columns columns_all(const struct table *table)
{
	struct columns columns = {0};
	for (int i = 0; i < table->column_count; i++)
		if (!table->columns[i].on_request)
			columns.column[columns.count++] = i;
	return columns;
}

static bool columns_is_empty(const struct rows *rows, const uint32_t *row, size_t count, int column)
{
	SCOPED_BUF text = {0};
	if (!rows_column_hidden(rows, column))
		return false;
	for (size_t i = 0; i < count && !text.len; i++)
		rows_text(rows, row ? row[i] : i, column, &text);
	return !text.len;
}

void columns_leave_empty(struct columns *columns, const struct rows *rows, const uint32_t *row,
                         size_t count)
{
	int kept = 0;
	for (int i = 0; i < columns->count; i++)
		if (!columns_is_empty(rows, row, count, columns->column[i]))
			columns->column[kept++] = columns->column[i];
	columns->count = kept;
}

bool columns_have(const struct columns *columns, int column)
{
	for (int i = 0; i < columns->count; i++)
		if (columns->column[i] == column)
			return true;
	return false;
}

bool table_unknown(const char *name, const char *lists, struct err *err)
{
	struct nearest nearest = {.wanted = name};
	SCOPED_BUF meant = {0};
	for (size_t i = 0; tables[i]; i++)
		nearest_see(&nearest, tables[i]->name);
	nearest_add_meant(&nearest, "", &meant);
	return err_set(err, "There is no table \"%.40s\"%s; %s", name, buf_text(&meant), lists);
}

bool column_parse(int *column, const struct table *table, const char *name, struct err *err)
{
	*column = name ? table_column(table, name) : -1;
	if (!name || *column >= 0)
		return true;
	struct nearest nearest = {.wanted = name};
	SCOPED_BUF names = {0}, meant = {0};
	for (int i = 0; i < table->column_count; i++) {
		buf_addf(&names, "%s%s", i ? ", " : "", table->columns[i].name);
		nearest_see(&nearest, table->columns[i].name);
	}
	nearest_add_meant(&nearest, "", &meant);
	return err_set(err, "The table %s has no column \"%.40s\"%s; it has %s", table->name, name,
	               buf_text(&meant), buf_text(&names));
}

bool columns_parse(struct columns *columns, const struct table *table, const char *names,
                   struct err *err)
{
	SCOPED_BUF name = {0};
	bool known = true;
	int column;
	*columns = (struct columns){0};
	while (known && *names) {
		size_t length = field_columns_length(names);
		length = length ? length : strcspn(names, ",");
		buf_clear(&name);
		buf_add_bytes(&name, names, length);
		known = column_parse(&column, table, buf_text(&name), err);
		if (known && !columns_have(columns, column))
			columns->column[columns->count++] = column;
		names += length + (names[length] == ',');
	}
	return known
	       && (columns->count
	           || err_set(err, "Which columns? For example: --columns %s", table->columns[0].name));
}

struct value columns_value(const struct columns *columns, const struct rows *rows, size_t row,
                           int place, struct buf *text)
{
	struct value value = {.text = text};
	buf_clear(text);
	rows_cell(rows, row, columns->column[place], &value);
	return value;
}
