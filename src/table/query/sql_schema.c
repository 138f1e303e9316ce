/* SQL names and declarations of the explorer's tables. */
#include "table/query/sql_database.h"
#include "table/query/sql_folded.h"

#include <string.h>
#include <strings.h>

/* Declared types, which tell a result column how to display its values. */
static const char *const kind_names[] = {
	[VALUE_NONE] = "",          [VALUE_TEXT] = "TEXT",     [VALUE_ID] = "ID",
	[VALUE_COUNT] = "COUNT",    [VALUE_BYTES] = "BYTES",   [VALUE_ADDRESS] = "ADDRESS",
	[VALUE_OFFSET] = "OFFSET",  [VALUE_BOOL] = "BOOL",     [VALUE_TIME] = "NANOSECONDS",
	[VALUE_LIST] = "TEXT LIST", [VALUE_SHARE] = "PERCENT", [VALUE_REAL] = "NUMBER",
};

bool sql_schema_has(const struct table *table)
{
	return strcmp(table->name, "sql") != 0;
}

void sql_schema_add_name(const char *table, struct buf *out)
{
	for (const char *c = table; *c; c++)
		buf_add_char(out, *c == '-' ? '_' : *c);
}

const struct table *sql_schema_find(const char *name)
{
	for (size_t i = 0; tables[i]; i++) {
		SCOPED_BUF own = {0}, former = {0};
		sql_schema_add_name(tables[i]->name, &own);
		sql_schema_add_name(tables[i]->former ? tables[i]->former : "", &former);
		if (sql_schema_has(tables[i])
		    && (strcasecmp(buf_text(&own), name) == 0 || strcasecmp(buf_text(&former), name) == 0))
			return tables[i];
	}
	return NULL;
}

void sql_schema_add(const struct table *table, bool whole, struct buf *out)
{
	buf_addf(out, "-- %s\nCREATE TABLE \"", table->help);
	sql_schema_add_name(table->name, out);
	/* The first hidden column is what stands in parentheses. */
	buf_addf(out, "\" (\n  argument HIDDEN%s -- %s", table->column_count ? "," : "",
	         table->argument ? table->argument : "none");
	for (int i = 0; i < table->column_count; i++) {
		const struct column *column = &table->columns[i];
		buf_addf(out, "\n  \"%s\" %s%s%s -- %s", column->name, kind_names[column->kind],
		         column->on_request ? " HIDDEN" : "", i + 1 < table->column_count ? "," : "",
		         column->help);
	}
	/* SQLite joins the rows of several arguments by the key; a number alone would not tell them
	 * apart. */
	if (whole)
		buf_add(out, "\n  , \"" EQUAL_ROWS "\" HIDDEN, rowid INTEGER HIDDEN, \"row key\" HIDDEN,"
		             " PRIMARY KEY (\"row key\")) WITHOUT ROWID");
	else
		buf_add(out, "\n)");
}
