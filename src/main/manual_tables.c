/* The section of the manual on tables. */
#include "main/manual.h"
#include "table/former_names.h"
#include "table/table.h"

/* The JSON type of a value. */
static const char *const kinds[] = {
	[VALUE_NONE] = "null",
	[VALUE_TEXT] = "string",
	[VALUE_ID] = "number",
	[VALUE_COUNT] = "number",
	[VALUE_BYTES] = "bytes",
	[VALUE_ADDRESS] = "address",
	[VALUE_OFFSET] = "offset in bytes",
	[VALUE_BOOL] = "true or false",
	[VALUE_TIME] = "nanoseconds",
	[VALUE_LIST] = "array of strings",
	[VALUE_SHARE] = "percent",
	[VALUE_REAL] = "number",
};

static void manual_tables_add_table(struct buf *out, const struct table *table)
{
	buf_addf(out, ".Ss %s\n.Ic list %s Ar DUMP", table->name, table->name);
	if (table->argument)
		buf_addf(out, " %s", table->argument);
	buf_add(out, "\n.Pp\n");
	struct buf text = {0};
	buf_addf(&text, "%s.", table->help);
	if (table->sort)
		buf_addf(&text, " Sorted by %s from the largest down unless told otherwise.", table->sort);
	manual_text(out, buf_text(&text));
	buf_add(out, ".Bl -tag -width argument_type\n");
	for (int i = 0; i < table->column_count; i++) {
		const struct column *column = &table->columns[i];
		buf_addf(out, ".It Li %s\n", column->name);
		buf_clear(&text);
		buf_addf(&text, "%s (%s).", column->help, kinds[column->kind]);
		manual_text(out, buf_text(&text));
	}
	buf_add(out, ".El\n");
	buf_free(&text);
}

void manual_tables(struct buf *out)
{
	buf_add(out, ".Sh TABLES\n"
	             "The names of tables and columns are stable: they are the arguments of\n"
	             ".Ic list\nand\n.Fl -sort ,\n"
	             "the keys of JSON, the first line of CSV, and commands of the explorer.\n"
	             "Names that have changed are still understood:\n");
	for (const struct former_name *at = former_names; at->former; at++)
		buf_addf(out, ".Ic %s\nis now\n.Ic %s%s\n", at->former, at->now,
		         at[1].former ? " ," : " .");
	for (size_t i = 0; tables[i]; i++)
		manual_tables_add_table(out, tables[i]);
}
