/* goheapx list: the rows of a table; goheapx find, retained, freed and top: those of one table. */
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

/* What is asked for. */
struct request {
	const struct table *table;
	struct filter *filter;  /* or NULL */
	int column;             /* to sort by, or -1 */
	struct columns columns; /* to print */
	enum status none;       /* when there are no rows */
	const struct options *options;
};

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

static enum status print_rows(const struct rows *rows, const struct request *request)
{
	const struct options *options = request->options;
	struct buf out = {0};
	struct order order = order_rows(rows, request->filter, request->column, options);
	size_t count = order.count < options->limit ? order.count : options->limit;
	writer_print(options->output, rows, &request->columns, order.row, count, &out);
	if (*note_of(rows, &order) && options->output == OUTPUT_TEXT)
		fprintf(stderr, "%s\n", note_of(rows, &order));
	free(order.row);
	return output_end(&out, order.count ? STATUS_ANSWERED : request->none);
}

/* What follows the dump, as the explorer would get it: "17 0". */
static void join_arguments(char *const *words, struct buf *argument)
{
	for (size_t i = 0; words[i]; i++)
		buf_addf(argument, "%s%s", i ? " " : "", words[i]);
}

/* What is printed, or decides which rows are and in which order. */
static bool is_used(const struct request *request, int column)
{
	return column == request->column || columns_have(&request->columns, column)
		|| (request->filter && filter_asks_for(request->filter, column));
}

/* Types are asked for apart: see open_for. */
static enum stage stage_of(const struct request *request, const char *argument)
{
	const struct table *table = request->table;
	const struct options *options = request->options;
	enum stage needs = table_needs(table, argument);
	for (int i = 0; i < table->column_count; i++)
		if (is_used(request, i) && table_column_needs(table, i) > needs
			&& table_column_needs(table, i) != STAGE_TYPED)
			needs = table_column_needs(table, i);
	if (needs >= STAGE_DOMINATED && needs < STAGE_OWNED && options->retain)
		needs = STAGE_OWNED;
	return needs;
}

/* With types where they are to be had, unless the table says which columns need them and none of
   these is used. */
static struct analysis *open_for(const struct request *request, const char *dump,
								 const char *argument)
{
	const struct options *options = request->options;
	bool says = false, typed = false;
	for (int i = 0; i < request->table->column_count; i++) {
		bool needs_types = table_column_needs(request->table, i) == STAGE_TYPED;
		says |= needs_types;
		typed |= needs_types && is_used(request, i);
	}
	enum stage needs = stage_of(request, argument);
	if (typed)
		return open_typed_dump(dump, options->exe, needs > STAGE_LINKED ? needs : STAGE_LINKED);
	return says ? open_untyped_dump(dump, options->exe, needs)
				: open_dump(dump, options->exe, needs);
}

static void set_retain(const struct analysis *analysis, const struct options *options)
{
	enum retain retain;
	if (options->retain && retain_parse(options->retain, analysis->heap->listed, &retain))
		analysis_set_retain(analysis, retain);
}

static enum status list(const struct request *request, char *const *operands)
{
	const struct options *options = request->options;
	struct buf argument = {0};
	struct err err = {0};
	join_arguments(operands + 1, &argument);
	struct analysis *analysis = open_for(request, operands[0], buf_text(&argument));
	if (!analysis) {
		buf_free(&argument);
		return STATUS_FAILED;
	}
	set_retain(analysis, options);
	struct rows *rows = rows_open_watched(request->table, analysis, buf_text(&argument),
										  &analysis->progress, &err);
	if (rows && request->table->unfold)
		request->table->unfold(rows);
	enum status status = rows ? print_rows(rows, request) : complain(NULL, &err);
	rows_close(rows);
	buf_free(&argument);
	return close_dump(analysis, options, status);
}

static enum status list_table(const char *name, char *const *operands, enum status none,
							  const struct options *options)
{
	struct err err = {0};
	struct request request = {.none = none, .options = options};
	request.table = find_table(name, &err);
	if (!request.table || !column_parse(&request.column, request.table, options->sort, &err))
		return complain(NULL, &err);
	if (!options->columns)
		request.columns = columns_all(request.table);
	else if (!columns_parse(&request.columns, request.table, options->columns, &err))
		return complain(NULL, &err);
	if (options->where && !(request.filter = filter_new(request.table, options->where, &err)))
		return complain(NULL, &err);
	enum status status = list(&request, operands);
	filter_free(request.filter);
	return status;
}

enum status run_list(const struct options *options)
{
	return list_table(options->operands[0], options->operands + 1, STATUS_ANSWERED, options);
}

enum status run_retained(const struct options *options)
{
	return list_table("retained", options->operands, STATUS_ANSWERED, options);
}

/* The table of the same name; status 1 where grep has it, too. */
enum status run_find(const struct options *options)
{
	return list_table("find", options->operands, STATUS_NONE, options);
}

enum status run_freed(const struct options *options)
{
	return list_table("cuts", options->operands, STATUS_ANSWERED, options);
}

enum { TOP = 20 }; /* rows, unless --limit says otherwise */

enum status run_top(const struct options *options)
{
	char *operands[] = {options->operands[0], NULL};
	struct options top = *options;
	if (!top.exe)
		top.exe = options->operands[1];
	if (top.limit == SIZE_MAX)
		top.limit = TOP;
	return list_table("top", operands, STATUS_ANSWERED, &top);
}
