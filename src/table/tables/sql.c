/* The table of the result of an SQL query, with the columns that the query names. */
#include "base/mem.h"
#include "base/text.h"
#include "table/cell.h"
#include "table/naming/argument.h"
#include "table/query/sql_database.h"
#include "table/query/sql_memory.h"

#include <stdlib.h>
#include <string.h>

enum { NAME_SHOWN = 60, COLUMNS_MOST = 32 };
_Static_assert((int)COLUMNS_MOST <= (int)TABLE_COLUMNS_MOST, "a screen has room for them");

/* A cell of the result. Texts are NUL-terminated in data->text. */
struct sql_cell {
	uint8_t type; /* SQLITE_... */
	union {
		int64_t number;
		double real;
		size_t text;
	};
};

struct sql_data {
	struct table table; /* with the columns of the query */
	struct column column[COLUMNS_MOST];
	struct sql_cell *cell; /* row by row */
	size_t cells, capacity;
	struct buf text;
};

static const struct sql_data *sql_data_of(const struct rows *rows)
{
	return rows->data;
}

/* Reads a cell; column is the index in the result. */
static void sql_value(const struct rows *rows, size_t row, int column, struct value *value)
{
	const struct sql_data *data = sql_data_of(rows);
	const struct sql_cell *cell =
		&data->cell[row * (size_t)data->table.column_count + (size_t)column];
	enum value_kind kind = data->column[column].kind;
	switch (cell->type) {
	case SQLITE_INTEGER:
		cell_number(value, kind == VALUE_TEXT || kind == VALUE_ADDRESS ? VALUE_ID : kind,
		            cell->number < 0 ? -(uint64_t)cell->number : (uint64_t)cell->number);
		value->negative = cell->number < 0;
		break;
	case SQLITE_FLOAT:
		value->kind = VALUE_REAL;
		value->real = cell->real;
		break;
	case SQLITE_TEXT:
		value->kind = VALUE_TEXT;
		buf_add(value->text, data->text.data + cell->text);
		break;
	default:
		break;
	}
}

/* Defines the cell function of one column, since a cell function receives no column number. */
#define SQL_CELL(n)                                                                    \
	static void sql_cell_##n(const struct rows *rows, size_t row, struct value *value) \
	{                                                                                  \
		sql_value(rows, row, n, value);                                                \
	}
#define SQL_CELLS(f)                                                                            \
	f(0) f(1) f(2) f(3) f(4) f(5) f(6) f(7) f(8) f(9) f(10) f(11) f(12) f(13) f(14) f(15) f(16) \
		f(17) f(18) f(19) f(20) f(21) f(22) f(23) f(24) f(25) f(26) f(27) f(28) f(29) f(30) f(31)
SQL_CELLS(SQL_CELL)
#define SQL_CELL_NAME(n) sql_cell_##n,
static void (*const cells[COLUMNS_MOST])(const struct rows *, size_t,
                                         struct value *) = {SQL_CELLS(SQL_CELL_NAME)};

/* ---- The columns of a result */

static enum value_kind sql_kind(const char *declared)
{
	static const struct {
		const char *name;
		enum value_kind kind;
	} kinds[] = {
		{"ID", VALUE_ID},         {"COUNT", VALUE_COUNT},     {"BYTES", VALUE_BYTES},
		{"OFFSET", VALUE_OFFSET}, {"BOOL", VALUE_BOOL},       {"NANOSECONDS", VALUE_TIME},
		{"TEXT", VALUE_TEXT},     {"ADDRESS", VALUE_ADDRESS}, {"PERCENT", VALUE_REAL},
	};
	for (size_t i = 0; declared && i < sizeof kinds / sizeof *kinds; i++)
		if (strcmp(kinds[i].name, declared) == 0)
			return kinds[i].kind;
	return declared ? VALUE_TEXT : VALUE_NONE;
}

static void sql_add_column(struct sql_data *data, sqlite3_stmt *statement, int i)
{
	const char *name = sqlite3_column_name(statement, i);
	SCOPED_BUF visible = {0};
	text_add_escaped(&visible, name, strlen(name), NAME_SHOWN);
	char *kept = mem_strdup(buf_text(&visible));
	data->column[i] = (struct column){
		.name = kept,
		.title = kept,
		.help = "A column of the query",
		.kind = sql_kind(sqlite3_column_decltype(statement, i)),
		.width = 12,
		.cell = cells[i],
	};
}

/* Sets the kind of a computed column according to its first value. */
static void sql_settle_kind(struct column *column, int type)
{
	size_t len = strlen(column->name);
	bool bytes = len >= 5 && strcmp(column->name + len - 5, "bytes") == 0;
	if (column->kind == VALUE_NONE && type != SQLITE_NULL)
		column->kind = type == SQLITE_INTEGER ? (bytes ? VALUE_BYTES : VALUE_COUNT)
		               : type == SQLITE_FLOAT ? VALUE_REAL
		                                      : VALUE_TEXT;
}

/* Appends a text, escaped. Texts of tables are printable already; those that SQL functions return
   may not be. */
static void sql_add_text(struct sql_data *data, const char *text)
{
	SCOPED_BUF visible = {0};
	size_t len = strlen(text), backslashes = 0;
	for (size_t i = 0; i < len; i++)
		backslashes += text[i] == '\\';
	text_add_escaped(&visible, text, len, SIZE_MAX);
	bool was = visible.len == len + backslashes;
	buf_add(&data->text, was ? text : buf_text(&visible));
	buf_add_char(&data->text, 0);
}

static void sql_take_cell(struct sql_data *data, sqlite3_stmt *statement, int i)
{
	int type = sqlite3_column_type(statement, i);
	data->cell = mem_grow(data->cell, data->cells, &data->capacity, sizeof *data->cell);
	struct sql_cell *cell = &data->cell[data->cells++];
	*cell = (struct sql_cell){.type = (uint8_t)(type == SQLITE_BLOB ? SQLITE_TEXT : type)};
	sql_settle_kind(&data->column[i], type);
	if (type == SQLITE_INTEGER) {
		cell->number = sqlite3_column_int64(statement, i);
	} else if (type == SQLITE_FLOAT) {
		cell->real = sqlite3_column_double(statement, i);
	} else if (type != SQLITE_NULL) {
		const char *text = (const char *)sqlite3_column_text(statement, i);
		cell->text = data->text.len;
		sql_add_text(data, text ? text : "");
	}
}

static bool sql_run(struct rows *rows, struct sql_database *database, sqlite3_stmt *statement,
                    struct err *err)
{
	struct sql_data *data = rows->data;
	int result, count = sqlite3_column_count(statement);
	if (count > COLUMNS_MOST)
		return err_set(err, "The query has %d columns; %d are possible", count, COLUMNS_MOST);
	for (int i = 0; i < count; i++)
		sql_add_column(data, statement, i);
	data->table.column_count = count;
	while ((result = sqlite3_step(statement)) == SQLITE_ROW) {
		for (int i = 0; i < count; i++)
			sql_take_cell(data, statement, i);
		rows->count++;
		/* Both double where they grow. */
		if (!sql_memory_allows(2 * (data->cells * sizeof *data->cell + data->text.len)))
			return sql_memory_fail(err);
	}
	/* The widest text column gets the remaining width. */
	for (int i = 0; i < count; i++)
		if (data->column[i].kind == VALUE_TEXT || data->column[i].kind == VALUE_NONE)
			data->column[i].width = 20;
	for (int i = count; i-- > 0;)
		if (data->column[i].kind == VALUE_TEXT) {
			data->column[i].width = 0;
			break;
		}
	return result == SQLITE_DONE || sql_database_fail(database, err);
}

/* Returns the object at an address in a column of addresses. */
static struct entity sql_entity(const struct rows *rows, size_t row)
{
	const struct sql_data *data = sql_data_of(rows);
	for (int i = 0; i < data->table.column_count; i++) {
		const struct sql_cell *cell =
			&data->cell[row * (size_t)data->table.column_count + (size_t)i];
		uint64_t address;
		if (data->column[i].kind == VALUE_ADDRESS && cell->type == SQLITE_TEXT
		    && argument_address(data->text.data + cell->text, &address))
			return entity_of_object(heap_find(analysis_heap(rows->analysis), address));
	}
	return (struct entity){0};
}

static void sql_close(struct rows *rows)
{
	struct sql_data *data = rows->data;
	for (int i = 0; i < data->table.column_count; i++)
		free((char *)(uintptr_t)data->column[i].name);
	free(data->cell);
	buf_free(&data->text);
}

static bool sql_open(struct rows *rows, const char *query, struct err *err)
{
	struct sql_database database;
	struct sql_data *data = rows->data = mem_alloc(sizeof *data);
	data->table = *rows->table;
	data->table.columns = data->column;
	data->table.column_count = 0;
	data->table.close = sql_close;
	data->table.entity = sql_entity;
	rows->table = &data->table;
	text_add_escaped(&rows->title, query, strlen(query), NAME_SHOWN);
	bool done = sql_database_open(&database, rows->analysis, err);
	database.progress = rows->progress;
	sqlite3_stmt *statement = done ? sql_database_prepare(&database, query, err) : NULL;
	if (statement && !analysis_has(rows->analysis, stages_with(database.needs)))
		done = err_set(err, "The query needs %s, which are not ready yet",
		               stage_name(analysis_lacks(rows->analysis, database.needs)));
	else
		done = statement && sql_run(rows, &database, statement, err);
	sqlite3_finalize(statement);
	if (done && !rows->count)
		buf_add(&rows->note, "The query returns no rows.");
	if (done && database.note.len)
		buf_addf(&rows->note, "%s%s", rows->note.len ? " " : "", buf_text(&database.note));
	data->table.from = database.from;
	sql_database_close(&database);
	return done;
}

/* Returns the required stages. Opening reports a malformed query. */
static unsigned sql_needs_with(const char *query)
{
	unsigned stages;
	return sql_needs(query, &stages) ? stages : STAGE_READ;
}

DEFINE_PLUGIN(tables, struct table, table_sql) = {
	.rank = 401,
	.name = "sql",
	.help =
		"The result of an SQL query: each table is a table of the database; its argument is the "
		"hidden column argument",
	.argument = "QUERY",
	.needs = STAGE_READ,
	.needs_with = sql_needs_with,
	.open = sql_open,
	.makes_columns = true,
};
