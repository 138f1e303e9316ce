/* goheapx schema: prints what --json prints of the tables as JSON Schema, draft 2020-12. */
#include "main/commands.h"
#include "main/print/json.h"
#include "main/print/output.h"
#include "table/forms.h"

/* The version of the rows' names and types: another one if a column is removed, or its type is
   changed; tests/cli/schema.txt has those of this version. */
#define SCHEMA_VERSION "2"

static const char *const schema_types[] = {
	[VALUE_TEXT] = "string",   [VALUE_ID] = "integer",     [VALUE_COUNT] = "integer",
	[VALUE_BYTES] = "integer", [VALUE_ADDRESS] = "string", [VALUE_OFFSET] = "integer",
	[VALUE_BOOL] = "boolean",  [VALUE_TIME] = "integer",   [VALUE_LIST] = "array",
	[VALUE_SHARE] = "number",  [VALUE_REAL] = "number",
};

static void schema_pair(struct json *json, const char *key, const char *text)
{
	json_text(json_key(json, key), text);
}

static void schema_column(struct json *json, const struct column *column)
{
	json_line(json);
	json_open(json_key(json, column->name), '{');
	schema_pair(json, "description", column->help);
	if (!column->any_kind) {
		json_open(json_key(json, "type"), '[');
		json_text(json, schema_types[column->kind]);
		json_text(json, "null");
		json_close(json, ']');
		if (column->kind == VALUE_ADDRESS)
			schema_pair(json, "pattern", "^0x[0-9a-f]+$");
		if (column->kind == VALUE_LIST) {
			json_open(json_key(json, "items"), '{');
			schema_pair(json, "type", "string");
			json_close(json, '}');
		}
	}
	json_close(json, '}');
}

/* A row has each column, but for those that are only there if they are named. */
static void schema_row(struct json *json, const struct table *table)
{
	const struct columns always = columns_all(table);
	json_open(json_key(json, "items"), '{');
	schema_pair(json, "type", "object");
	json_open(json_key(json, "required"), '[');
	for (int i = 0; i < always.count && !table->makes_columns; i++)
		json_text(json, table->columns[always.column[i]].name);
	json_close(json, ']');
	json_bool(json_key(json, "additionalProperties"), table->makes_columns);
	json_open(json_key(json, "properties"), '{');
	if (table->tree && table_column(table, "depth") < 0)
		schema_column(json, &(struct column){.name = "depth",
		                                     .help = "How many rows it is below a topmost one",
		                                     .kind = VALUE_COUNT});
	for (int i = 0; i < table->column_count; i++)
		schema_column(json, &table->columns[i]);
	json_close(json, '}');
	json_close(json, '}');
}

static void schema_alternative(struct json *json, const struct table *table)
{
	json_open(json, '{');
	schema_pair(json, "title", table->name);
	schema_pair(json, "description", table->help);
	schema_row(json, table);
	json_close(json, '}');
}

/* What list prints of a table: rows of one kind, or those of one of its forms. */
static void schema_table(struct json *json, const struct table *table, bool alone)
{
	const struct table *form = table_next_form(table, NULL);
	json_open(json, '{');
	if (alone)
		schema_pair(json, "$schema", "https://json-schema.org/draft/2020-12/schema");
	SCOPED_BUF id = {0};
	buf_addf(&id, "urn:goheapx:" SCHEMA_VERSION ":%s", table->name);
	schema_pair(json, "$id", buf_text(&id));
	schema_pair(json, "version", SCHEMA_VERSION);
	schema_pair(json, "description", table->help);
	schema_pair(json, "type", "array");
	if (!form)
		schema_row(json, table);
	else
		json_open(json_key(json, "anyOf"), '[');
	for (const struct table *at = table; form && at;
	     at = table_next_form(table, at == table ? NULL : at))
		schema_alternative(json, at);
	if (form)
		json_close(json, ']');
	json_close(json, '}');
}

static void schema_of_all(struct json *json, bool all)
{
	json_open(json, '{');
	schema_pair(json, "$schema", "https://json-schema.org/draft/2020-12/schema");
	schema_pair(json, "$id", "urn:goheapx:" SCHEMA_VERSION);
	schema_pair(json, "version", SCHEMA_VERSION);
	json_open(json_key(json, "$defs"), '{');
	for (size_t i = 0; tables[i]; i++) {
		if (!table_is_listed(tables[i]) && !(all && tables[i]->rare))
			continue;
		json_line(json);
		json_key(json, tables[i]->name);
		schema_table(json, tables[i], false);
	}
	json_close(json, '}');
	json_close(json, '}');
}

enum status run_schema(const struct options *options)
{
	struct buf out = {0};
	struct json json = {.out = &out};
	struct err err = {0};
	const struct table *table = NULL;
	if (options->operand_count && !(table = table_find(options->operands[0]))) {
		table_unknown(options->operands[0], "goheapx help list lists them", &err);
		return complain(NULL, &err);
	}
	if (table)
		schema_table(&json, table, true);
	else
		schema_of_all(&json, options->all);
	buf_add_char(&out, '\n');
	return output_end(&out, STATUS_ANSWERED);
}
