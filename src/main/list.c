/* goheapx list: the rows of a table. */
#include "base/mem.h"
#include "main/commands.h"
#include "main/output.h"
#include "main/writer.h"

#include <stdio.h>
#include <stdlib.h>

static const struct table *find_table(const char *name, struct err *err)
{
	const struct table *table = table_find(name);
	struct buf names = {0};
	for (size_t i = 0; tables[i] && !table; i++)
		buf_addf(&names, "%s%s", i ? ", " : "", tables[i]->name);
	if (!table)
		err_set(err, "There is no table \"%.40s\"; there are %s", name, buf_text(&names));
	buf_free(&names);
	return table;
}

static bool find_column(const struct table *table, const char *name, int *column, struct err *err)
{
	*column = name ? table_column(table, name) : -1;
	if (!name || *column >= 0)
		return true;
	struct buf names = {0};
	for (int i = 0; i < table->column_count; i++)
		buf_addf(&names, "%s%s", i ? ", " : "", table->columns[i].name);
	err_set(err, "The table %s has no column \"%.40s\"; it has %s", table->name, name,
			buf_text(&names));
	buf_free(&names);
	return false;
}

static uint32_t *last_first(size_t count)
{
	uint32_t *order = mem_alloc(count * sizeof *order);
	for (size_t i = 0; i < count; i++)
		order[i] = (uint32_t)(count - 1 - i);
	return order;
}

/* Unasked, numbers are sorted from the largest down. NULL: the order of the rows. */
static uint32_t *sort_rows(const struct rows *rows, int column, bool descending)
{
	if (column >= 0)
		return rows_sorted(rows, column, descending, NULL);
	if (rows->table->sort >= 0)
		return rows_sorted(rows, rows->table->sort, !descending, NULL);
	return descending ? last_first(rows->count) : NULL;
}

static enum status print_rows(const struct rows *rows, int column, const struct options *options)
{
	struct buf out = {0};
	uint32_t *order = sort_rows(rows, column, options->descending != options->reverse);
	writer_print(options->output, rows, order, options->limit, &out);
	free(order);
	if (rows->note.len && options->output == OUTPUT_TEXT)
		fprintf(stderr, "%s\n", buf_text(&rows->note));
	return output_end(&out, STATUS_ANSWERED);
}

/* What follows the dump, as the explorer would get it: "17 0". */
static void join_arguments(const struct options *options, struct buf *argument)
{
	for (size_t i = 2; i < options->operand_count; i++)
		buf_addf(argument, "%s%s", i > 2 ? " " : "", options->operands[i]);
}

static enum status list(const struct table *table, int column, const struct options *options)
{
	struct analysis *analysis = open_dump(options->operands[1], options->exe, table->needs);
	struct buf argument = {0};
	struct err err = {0};
	if (!analysis)
		return STATUS_FAILED;
	join_arguments(options, &argument);
	struct rows *rows = rows_open(table, analysis, buf_text(&argument), &err);
	enum status status = rows ? print_rows(rows, column, options) : complain(NULL, &err);
	rows_close(rows);
	buf_free(&argument);
	return close_dump(analysis, options, status);
}

enum status run_list(const struct options *options)
{
	struct err err = {0};
	int column;
	const struct table *table = find_table(options->operands[0], &err);
	if (!table || !find_column(table, options->sort, &column, &err))
		return complain(NULL, &err);
	return list(table, column, options);
}
