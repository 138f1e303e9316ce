/* goheapx list: prints the rows of a table; goheapx find, retained, freed and top print those of
   one table. */
#include "analysis/analysis.h"
#include "main/ask/sql_shell.h"
#include "main/commands.h"
#include "main/options/inputs.h"
#include "main/options/selection.h"
#include "main/print/output.h"
#include "main/print/writer.h"
#include "table/contents/field_columns.h"
#include "table/forms.h"
#include "table/naming/takes.h"

#include <stdio.h>
#include <string.h>

/* The request of a command line. */
struct request {
	const struct table *table;
	struct filter *filter;  /* or NULL */
	int column;             /* to sort by, or -1 */
	struct columns columns; /* to print */
	enum status none;       /* the status without rows */
	const struct options *options;
	struct field_columns fields; /* used as columns */
};

/* Parses the columns to print and to sort by, against a table. */
static bool list_read_columns(struct request *request, const struct table *table,
                              const struct table *base, struct err *err)
{
	const struct options *options = request->options;
	if (!column_parse(&request->column, table, options->sort, err))
		return false;
	if (options->columns)
		return columns_parse(&request->columns, table, options->columns, err);
	request->columns = columns_all(base);
	return true;
}

/* Prints why there are no rows, or which are omitted. */
static void print_note(const struct rows *rows, const struct filter *filter,
                       const struct selection *selection)
{
	SCOPED_BUF note = {0};
	bool none = rows->count && !selection->count;
	const char *empty = none && filter ? filter_empty_column(filter, rows) : NULL;
	buf_add(&note, none ? "No row matches" : buf_text(&rows->note));
	if (empty)
		buf_addf(&note, ": %s is empty in all rows", empty);
	if (none)
		buf_add_char(&note, '.');
	if (none && rows->unknown)
		buf_addf(&note, " %s", buf_text(&rows->note));
	if (none)
		rows_doubt(rows, &note);
	if (none && filter)
		filter_add_redaction(filter, rows, &note);
	if (note.len)
		fprintf(stderr, "%s\n", note.data);
}

/* Returns the rows to print. Without a depth, unfolds a table that supports it, and prints the
   topmost rows of other trees. */
static struct selection selection_of(struct rows *rows, const struct request *request)
{
	const struct options *options = request->options;
	if (options->depth)
		return selection_of_tree(rows, request->filter, options);
	const struct table_tree *tree = request->table->tree;
	if (tree && tree->unfold)
		tree->unfold(rows);
	return selection_of_rows(rows, request->filter, request->column, options,
	                         request->fields.count > 0); /* settled by all rows */
}

static enum status print_rows(struct rows *rows, struct request *request)
{
	const struct options *options = request->options;
	struct buf out = {0};
	struct err err = {0};
	/* Sorting depends on the kind of values in a column. */
	bool known = field_columns_settle(&request->fields, rows, NULL, rows->count, &err);
	if (request->table->makes_columns)
		known = list_read_columns(request, rows->table, rows->table, &err);
	struct selection selection = known ? selection_of(rows, request) : (struct selection){0};
	bool any = selection.count;
	known = known && (any || filter_has_columns(request->filter, rows, &err));
	if (known && any)
		known = field_columns_settle(&request->fields, rows, selection.row, selection.count, &err);
	if (!known) {
		selection_fini(&selection);
		return output_none(options->output, "[]", &err);
	}
	/* For programs the columns are always the same. */
	struct columns columns = request->columns;
	if (options->output == OUTPUT_TEXT && !options->columns)
		columns_leave_empty(&columns, rows, selection.row,
		                    selection.count < options->limit ? selection.count : options->limit);
	writer_print(options->output, rows, &columns, &selection, options->limit, &out);
	if (options->output == OUTPUT_TEXT || output_for_agent())
		print_note(rows, request->filter, &selection);
	selection_fini(&selection);
	return output_end(&out, any ? STATUS_ANSWERED : request->none);
}

/* Returns true if a column is printed, or selects or sorts rows. */
static bool list_command_is_used(const struct request *request, int column)
{
	return column == request->column || columns_have(&request->columns, column)
	       || (request->filter && filter_asks_for(request->filter, column));
}

/* Returns the stages that the table and all used columns require. */
static unsigned list_needs(const struct request *request, const char *argument)
{
	const struct table *table = request->table;
	unsigned stages = table_needs(table, argument) | table->wants;
	/* By default, the table defines a sort column. */
	int own = request->column < 0 ? table_column(table, table->sort) : -1;
	for (int i = 0; i < table->column_count; i++)
		if (i == own || list_command_is_used(request, i))
			stages |= table->columns[i].stages | table->columns[i].wants;
	if (request->options->depth && table->tree)
		stages |= table->tree->needs;
	return request->options->retain && stages & STAGE_RETAINED ? stages | STAGE_OWNED : stages;
}

/* A search runs before all other stages: they are needed only if it finds something. */
struct list_search {
	const struct request *request;
	const char *argument;
	unsigned stages; /* of its rows */
	struct rows *rows;
	struct err err;
};

static unsigned list_search_runs(void *self, const struct analysis *analysis)
{
	struct list_search *search = self;
	search->rows = rows_open_whole(search->request->table,
	                               asked_with(analysis, search->request->options), search->argument,
	                               &search->err);
	return search->rows && search->rows->count ? search->stages : STAGE_NONE;
}

static enum status list(struct request *request, const char *dump, const char *text)
{
	const struct options *options = request->options;
	bool searches = request->table->searches && !options->since.len;
	struct err err = {0};
	if (!table_takes(request->table, text, &err))
		return output_none(options->output, "[]", &err);
	const char *const names[] = {request->table->takes & TAKES_PLACE ? text : NULL, NULL};
	struct list_search search = {request, text, list_needs(request, text), NULL, {0}};
	struct analysis *analysis = open_dump(&(struct opening){
		.options = options,
		.dump = dump,
		.stages = search.stages,
		.names = names,
		.since = true,
		.look = searches ? list_search_runs : NULL,
		.self = &search,
		.first = searches ? request->table->needs : STAGE_NONE,
	});
	if (!analysis) {
		rows_close(search.rows);
		return STATUS_FAILED;
	}
	if (!searches)
		list_search_runs(&search, analysis);
	struct rows *rows = search.rows;
	enum status status = rows ? print_rows(rows, request)
	                          : output_none(options->output, "[]", &search.err);
	rows_close(rows);
	return close_dump(analysis, options, status);
}

/* Returns true if the table supports the options. */
static bool is_possible(const struct request *request, struct err *err)
{
	const struct options *options = request->options;
	if (!options->depth)
		return true;
	if (!request->table->tree)
		return err_set(err,
		               "The table %s is not a tree; --depth is for where, owners, retained --tree, "
		               "path --tree and breakdown",
		               request->table->name);
	return (!options->sort && !options->reverse)
	       || err_set(
			   err,
			   "A tree keeps the order of its rows: --depth does not go with --sort and --reverse");
}

/* Parses the options. Fields used in filters or for sorting become columns, which are printed if
   --columns names them. */
static bool list_read_options(struct request *request, struct err *err)
{
	const struct options *options = request->options;
	const struct table *base = request->table;
	field_columns_init(&request->fields, base);
	if (!base->makes_columns
	    && (!field_columns_add_list(&request->fields, options->columns, err)
	        || !field_columns_add_list(&request->fields, options->sort, err)
	        || !field_columns_add_filter(&request->fields, options->where, err)))
		return false;
	request->table = field_columns_table(&request->fields);
	if (!is_possible(request, err))
		return false;
	request->column = -1;
	if (!request->table->makes_columns && !list_read_columns(request, request->table, base, err))
		return false;
	if (options->where)
		request->filter = filter_new(request->table, options->where, err);
	return !options->where || request->filter;
}

static enum status list_table(const char *name, char *const *operands, enum status none,
                              const struct options *options)
{
	SCOPED_BUF words = {0}, argument = {0};
	struct err err = {0};
	struct request request = {.table = table_find(name), .none = none, .options = options};
	bool known = request.table || table_unknown(name, "goheapx help list lists them", &err);
	/* The operands after the dump become one argument, as the explorer gets them: "17 0". */
	for (size_t i = 1; operands[i]; i++)
		buf_addf(&words, "%s%s", i > 1 ? " " : "", operands[i]);
	if (known)
		request.table = table_of_argument(request.table, buf_text(&words), &argument);
	enum status status = known && list_read_options(&request, &err)
	                         ? list(&request, operands[0], buf_text(&argument))
	                         : complain(NULL, &err);
	filter_free(request.filter);
	if (request.table)
		field_columns_fini(&request.fields);
	return status;
}

/* Prints the table grouped, for --group. */
static enum status list_grouped(const struct options *options)
{
	SCOPED_BUF argument = {0};
	struct options grouped = *options;
	char **operands = options->operands;
	buf_addf(&argument, "%s of %s", options->group, operands[0]);
	for (size_t i = 2; operands[i]; i++)
		buf_addf(&argument, " %s", operands[i]);
	if (options->where)
		buf_addf(&argument, " where %s", options->where);
	grouped.where = NULL;
	char *words[] = {operands[1], argument.data, NULL};
	return list_table("grouped", words, STATUS_EMPTY, &grouped);
}

/* Prints the form of a table that options choose by a word. */
static enum status list_form(const struct options *options, const char *word)
{
	const struct table *table = table_find(options->operands[0]);
	const struct table *form = table ? table_form(table, word, options->operand_count > 2) : NULL;
	SCOPED_BUF argument = {0}, forms = {0};
	struct err err = {0};
	if (form) {
		for (size_t i = 2; options->operands[i]; i++)
			buf_addf(&argument, "%s%s", i > 2 ? " " : "", options->operands[i]);
		table_form_add_word(form, word, &argument);
		char *operands[] = {options->operands[1], argument.len ? argument.data : NULL, NULL};
		return list_table(form->name, operands, STATUS_EMPTY, options);
	}
	if (options->group)
		return list_grouped(options);
	if (!table || strcmp(word, table->tree ? "tree" : "list") == 0)
		return list_table(options->operands[0], options->operands + 1, STATUS_EMPTY, options);
	while ((form = table_next_form(table, form)))
		table_form_add_option(form, &forms);
	err_set(&err, "The table %s has no form --%s%s%s", table->name, word,
	        forms.len ? "; it has" : "", buf_text(&forms));
	return complain(NULL, &err);
}

enum status run_list(const struct options *options)
{
	const char *word = options->tree ? "tree" : options->list ? "list" : options->group;
	struct err err = {0};
	if (options->tree + options->list + (options->group != NULL) > 1) {
		err_set(&err, "Only one form of a table can be printed: --tree, --list or --group");
		return complain(NULL, &err);
	}
	if (word)
		return list_form(options, word);
	return list_table(options->operands[0], options->operands + 1, STATUS_EMPTY, options);
}

enum status run_retained(const struct options *options)
{
	return list_table("retained", options->operands, STATUS_EMPTY, options);
}

/* Prints the table find; status 1 without a hit, as in grep. */
enum status run_find(const struct options *options)
{
	return list_table("find", options->operands, STATUS_NONE, options);
}

enum status run_freed(const struct options *options)
{
	return list_table("what-if", options->operands, STATUS_EMPTY, options);
}

enum status run_sql(const struct options *options)
{
	if (options->operand_count < 2)
		return sql_shell_run(options);
	return list_table("sql", options->operands, STATUS_EMPTY, options);
}

enum { TOP = 20 }; /* default number of rows */

enum status run_top(const struct options *options)
{
	char *operands[] = {options->operands[0], NULL};
	struct options top = *options;
	if (!top.exe)
		top.exe = options->operands[1];
	if (top.limit == SIZE_MAX)
		top.limit = TOP;
	return list_table("owners-list", operands, STATUS_EMPTY, &top);
}
