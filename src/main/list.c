/* goheapx list: the rows of a table; goheapx retained: those of one table. */
#include "base/mem.h"
#include "main/commands.h"
#include "main/output.h"
#include "main/writer.h"
#include "table/filter.h"

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

/* Which rows are printed, and in which order. */
struct order {
	uint32_t *row; /* NULL: all, as they are */
	size_t count;
};

static void turn_round(const struct rows *rows, struct order *order)
{
	if (!order->row) {
		order->row = mem_alloc(rows->count * sizeof *order->row);
		for (size_t i = 0; i < rows->count; i++)
			order->row[i] = (uint32_t)i;
	}
	for (size_t i = 0, j = order->count; i + 1 < j; i++) {
		uint32_t row = order->row[--j];
		order->row[j] = order->row[i];
		order->row[i] = row;
	}
}

/* Unasked, numbers are sorted from the largest down. */
static void sort_rows(const struct rows *rows, int column, bool descending, struct order *order)
{
	if (column < 0 && rows->table->sort >= 0) {
		column = rows->table->sort;
		descending = !descending;
	}
	if (column >= 0 && order->row)
		rows_sort(rows, order->row, order->count, column, descending, NULL);
	else if (column >= 0)
		order->row = rows_sorted(rows, column, descending, NULL);
	else if (descending)
		turn_round(rows, order);
}

/* Of rows that keep their order, no more are looked at than are printed. */
static struct order order_rows(const struct rows *rows, struct filter *filter, int column,
							   const struct options *options)
{
	struct order order = {.count = rows->count};
	bool descending = options->descending != options->reverse;
	bool sorted = column >= 0 || rows->table->sort >= 0 || descending;
	size_t wanted = sorted ? SIZE_MAX : options->limit;
	if (filter)
		order.row = rows_filtered(rows, filter, wanted, &order.count, NULL);
	sort_rows(rows, column, descending, &order);
	return order;
}

static const char *note_of(const struct rows *rows, const struct order *order)
{
	bool none = rows->count && !order->count;
	return none ? "No row is like that." : buf_text(&rows->note);
}

static enum status print_rows(const struct rows *rows, struct filter *filter, int column,
							  const struct options *options)
{
	struct buf out = {0};
	struct order order = order_rows(rows, filter, column, options);
	size_t count = order.count < options->limit ? order.count : options->limit;
	writer_print(options->output, rows, order.row, count, &out);
	if (*note_of(rows, &order) && options->output == OUTPUT_TEXT)
		fprintf(stderr, "%s\n", note_of(rows, &order));
	free(order.row);
	return output_end(&out, STATUS_ANSWERED);
}

/* The shell prints whole rows only. */
static enum stage stage_of(const struct table *table, const struct options *options)
{
	enum stage stage = table->needs > table->wants ? table->needs : table->wants;
	if (stage >= STAGE_DOMINATED && options->retain == RETAIN_STRONG && stage < STAGE_OWNED)
		stage = STAGE_OWNED;
	return stage;
}

/* What follows the dump, as the explorer would get it: "17 0". */
static void join_arguments(const struct options *options, size_t first, struct buf *argument)
{
	for (size_t i = first; i < options->operand_count; i++)
		buf_addf(argument, "%s%s", i > first ? " " : "", options->operands[i]);
}

/* `dump` is the operand that names it; the table's argument follows. */
static enum status list_rows(const struct table *table, struct filter *filter, int column,
							 size_t dump, const struct options *options)
{
	struct analysis *analysis =
		open_dump(options->operands[dump], options->exe, stage_of(table, options));
	struct buf argument = {0};
	struct err err = {0};
	if (!analysis)
		return STATUS_FAILED;
	analysis_set_retain(analysis, options->retain);
	join_arguments(options, dump + 1, &argument);
	struct rows *rows = rows_open(table, analysis, buf_text(&argument), &err);
	enum status status = rows ? print_rows(rows, filter, column, options) : complain(NULL, &err);
	rows_close(rows);
	buf_free(&argument);
	return close_dump(analysis, options, status);
}

enum status run_list(const struct options *options)
{
	struct err err = {0};
	int column;
	struct filter *filter = NULL;
	const struct table *table = find_table(options->operands[0], &err);
	if (!table || !find_column(table, options->sort, &column, &err))
		return complain(NULL, &err);
	if (options->where && !(filter = filter_new(table, options->where, &err)))
		return complain(NULL, &err);
	enum status status = list_rows(table, filter, column, 1, options);
	filter_free(filter);
	return status;
}

enum status run_retained(const struct options *options)
{
	return list_rows(table_find("retained"), NULL, -1, 0, options);
}
