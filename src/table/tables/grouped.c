/* The table of the distinct values that rows of another table have in a column or a field, with the
   number of such rows. */
#include "base/mem.h"
#include "base/text.h"
#include "table/cell.h"
#include "table/contents/field_columns.h"
#include "table/query/filter.h"
#include "table/query/grouping.h"

#include <stdlib.h>
#include <string.h>

enum { NAME_SHOWN = 60, FIXED = 3, WIDEST = 24 };

struct grouped {
	struct table table; /* with the columns of this query */
	struct column column[FIXED + GROUPING_SUMS];
	char *name[1 + GROUPING_SUMS]; /* names of the key column and of the summed columns */
	char *of, *argument, *where;   /* NULL: none */
	char *heads[1 + GROUPING_SUMS];
	bool keyed; /* false: all rows are one group */
	struct field_columns fields;
	struct rows *rows;
	struct grouping grouping;
};

/* ---- The argument: KEY,sum(COL),... of TABLE [ARG] [where EXPR] */

/* Parses a column, or sum(COLUMN). */
static bool grouped_take_name(struct grouped *g, const char **text, struct err *err)
{
	bool sum = strncmp(*text, "sum(", 4) == 0;
	const char *name = *text + (sum ? 4 : 0);
	size_t length = field_columns_name_length(name);
	if (!length || (sum && name[length] != ')'))
		return err_set(err, "Name the column or field to group by, and what to add up, as in: "
		                    ".Country,sum(len(.Items))");
	if (!sum && (g->keyed || g->grouping.sums))
		return err_set(err,
		               "Rows are grouped by one column, which comes first; others are "
		               "added up: sum(%.*s)",
		               length < NAME_SHOWN ? (int)length : NAME_SHOWN, name);
	if (g->grouping.sums == GROUPING_SUMS)
		return err_set(err, "Too many sums: %d at most", GROUPING_SUMS);
	int place = sum ? 1 + g->grouping.sums++ : 0;
	g->keyed |= !sum;
	g->name[place] = mem_strndup(name, length);
	g->heads[place] = mem_strndup(*text, sum ? length + 5 : length);
	*text = name + length + sum;
	return true;
}

/* Returns the position of " where " outside of quotes; NULL: there is none. */
static const char *grouped_where(const char *text)
{
	char quote = 0;
	for (; *text; text++) {
		if (quote)
			quote = *text == quote ? 0 : quote;
		else if (*text == '"' || *text == '\'')
			quote = *text;
		else if (strncmp(text, " where ", 7) == 0)
			return text;
	}
	return NULL;
}

static bool grouped_parse(struct grouped *g, const char *text, struct err *err)
{
	do {
		text += strspn(text, ", ");
		if (!grouped_take_name(g, &text, err))
			return false;
	} while (*text == ',');
	if (strncmp(text, " of ", 4) != 0)
		return err_set(err, "Name the table, as in: grouped %s of objects", g->heads[!g->keyed]);
	text += 4;
	const char *where = grouped_where(text), *end = where ? where : text + strlen(text);
	size_t table = strcspn(text, " ");
	table = table < (size_t)(end - text) ? table : (size_t)(end - text);
	g->of = mem_strndup(text, table);
	text += table;
	while (text < end && *text == ' ')
		text++;
	g->argument = mem_strndup(text, (size_t)(end - text));
	g->where = where ? mem_strdup(where + 7) : NULL;
	return true;
}

/* ---- The underlying table */

/* Adds field columns for the columns that are named, and those that the filter compares. */
static bool grouped_add_columns(struct grouped *g, struct err *err)
{
	for (int i = g->keyed ? 0 : 1; i <= g->grouping.sums; i++)
		if (field_columns_length(g->name[i])
		    && !field_columns_add(&g->fields, g->name[i], strlen(g->name[i]), err))
			return false;
	if (!field_columns_add_filter(&g->fields, g->where, err))
		return false;
	const struct table *table = field_columns_table(&g->fields);
	g->grouping.key = g->keyed ? table_column(table, g->name[0]) : -1;
	for (int i = 0; i <= g->grouping.sums; i++) {
		int column = i == 0 && !g->keyed ? 0 : table_column(table, g->name[i]);
		if (column < 0)
			return err_set(err, "The table %s has no column \"%.60s\"", table->name, g->name[i]);
		if (i > 0)
			g->grouping.sum[i - 1] = column;
	}
	return true;
}

static bool grouped_read(struct grouped *g, const char *argument, struct err *err)
{
	if (!grouped_parse(g, argument, err))
		return false;
	const struct table *table = table_find(g->of);
	if (!table)
		return err_set(err, "There is no table \"%.40s\"", g->of);
	if (table->makes_columns)
		return err_set(err, "The rows of %s cannot be grouped", table->name);
	field_columns_init(&g->fields, table);
	return grouped_add_columns(g, err);
}

static void grouped_free(struct grouped *g)
{
	rows_close(g->rows);
	grouping_fini(&g->grouping);
	field_columns_fini(&g->fields);
	for (int i = 0; i <= GROUPING_SUMS; i++) {
		free(g->name[i]);
		free(g->heads[i]);
	}
	free(g->of);
	free(g->argument);
	free(g->where);
	free(g);
}

static unsigned grouped_column_needs(const struct table *table, int column)
{
	return column < 0 ? STAGE_NONE : table->columns[column].stages | table->columns[column].wants;
}

/* Returns the required stages. Opening reports a malformed argument. */
static unsigned grouped_needs(const char *argument)
{
	struct grouped *g = mem_alloc(sizeof *g);
	unsigned stages = STAGE_READ;
	if (grouped_read(g, argument, NULL)) {
		const struct table *table = field_columns_table(&g->fields);
		struct filter *filter = g->where ? filter_new(table, g->where, NULL) : NULL;
		stages |= table_needs(table, g->argument) | table->wants
		          | grouped_column_needs(table, g->grouping.key);
		for (int i = 0; i < g->grouping.sums; i++)
			stages |= grouped_column_needs(table, g->grouping.sum[i]);
		stages |= filter ? filter_needs(filter) : STAGE_NONE;
		filter_free(filter);
	}
	grouped_free(g);
	return stages_with(stages);
}

/* ---- Rows */

static const struct grouped *grouped_of(const struct rows *rows)
{
	return rows->data;
}

static void grouped_value_cell(const struct rows *rows, size_t row, struct value *value)
{
	grouping_value(&grouped_of(rows)->grouping, row, value);
}

static void grouped_count_cell(const struct rows *rows, size_t row, struct value *value)
{
	cell_number(value, VALUE_COUNT, grouped_of(rows)->grouping.group[row].count);
}

static void grouped_bytes_cell(const struct rows *rows, size_t row, struct value *value)
{
	if (grouped_of(rows)->grouping.objects)
		cell_number(value, VALUE_BYTES, grouped_of(rows)->grouping.group[row].bytes);
}

static void grouped_sum_cell(const struct rows *rows, size_t row, struct value *value)
{
	grouping_sum(&grouped_of(rows)->grouping, row, value->column - FIXED, value);
}

static bool grouped_no_bytes(const struct rows *rows)
{
	return rows->data && !grouped_of(rows)->grouping.objects;
}

static const struct column grouped_columns[FIXED] = {
	{"value", "value",
     "The value of the column or field. Values beyond the first million, or 256 MB of text, share "
     "the last row",
     VALUE_TEXT, 0, 0, .cell = grouped_value_cell},
	{"count", "count", "Number of rows with this value", VALUE_COUNT, 11, 0,
     .cell = grouped_count_cell},
	{"bytes", "bytes", "Bytes of the objects of these rows", VALUE_BYTES, 11, 0,
     .cell = grouped_bytes_cell, .absent = grouped_no_bytes},
};

/* Creates the columns, whose kinds are known once rows exist. */
static void grouped_make_columns(struct rows *rows, struct grouped *g)
{
	const struct table *of = g->rows->table;
	memcpy(g->column, grouped_columns, sizeof grouped_columns);
	if (g->keyed) {
		g->column[0].title = g->heads[0];
		g->column[0].kind = of->columns[g->grouping.key].kind;
	}
	g->column[0].is_signed = true;
	if (g->column[0].kind != VALUE_TEXT && g->column[0].kind != VALUE_LIST)
		g->column[0].width = 20;
	for (int i = 0; i < g->grouping.sums; i++) {
		enum value_kind kind = of->columns[g->grouping.sum[i]].kind;
		size_t width = strlen(g->heads[1 + i]);
		g->column[FIXED + i] = (struct column){
			.name = g->heads[1 + i],
			.title = g->heads[1 + i],
			.help = "Sum over these rows",
			.kind = g->grouping.real[i]                         ? VALUE_REAL
		            : kind == VALUE_BYTES || kind == VALUE_TIME ? kind
		                                                        : VALUE_COUNT,
			.width = width < WIDEST ? (int)width : WIDEST,
			.is_signed = true,
			.cell = grouped_sum_cell,
		};
	}
	g->table = *rows->table;
	g->table.columns = g->column;
	g->table.column_count = FIXED + g->grouping.sums;
	rows->table = &g->table;
}

static void grouped_add_title(const struct grouped *g, struct buf *title)
{
	text_add_safe(title, buf_text(&g->rows->title));
	if (g->where) {
		buf_add(title, " where ");
		text_add_escaped(title, g->where, strlen(g->where), NAME_SHOWN);
	}
	if (g->keyed) {
		buf_add(title, ", by ");
		text_add_escaped(title, g->heads[0], strlen(g->heads[0]), NAME_SHOWN);
	}
	if (g->grouping.left_out)
		buf_addf(title, "; %s", text_number_of(g->grouping.left_out, "has none", "have none").text);
	if (g->grouping.no_number) {
		buf_addf(title, "; %s not added: not numbers, or guesses",
		         text_count(g->grouping.no_number).text);
	}
}

static bool grouped_fill(struct rows *rows, struct grouped *g, struct filter *filter,
                         struct err *err)
{
	struct rows *of = g->rows;
	size_t count = of->count;
	if (!field_columns_settle(&g->fields, of, NULL, of->count, err))
		return false;
	uint32_t *row = filter ? rows_filtered(of, filter, SIZE_MAX, &count, rows->progress) : NULL;
	if (filter && !row)
		return false;
	g->grouping.rows = of;
	bool done = (!row || field_columns_settle(&g->fields, of, row, count, err))
	            && grouping_make(&g->grouping, row, count, rows->progress);
	free(row);
	if (!done)
		return false;
	rows->count = g->grouping.count;
	grouped_make_columns(rows, g);
	grouped_add_title(g, &rows->title);
	if (!rows->count)
		buf_add(&rows->note,
		        of->count || !of->note.len ? "No row has such a value." : buf_text(&of->note));
	return true;
}

static bool grouped_open(struct rows *rows, const char *argument, struct err *err)
{
	struct grouped *g = rows->data = mem_alloc(sizeof *g);
	if (!grouped_read(g, argument, err))
		return false;
	const struct table *table = field_columns_table(&g->fields);
	unsigned needs = grouped_needs(argument);
	if (!analysis_has(rows->analysis, needs))
		return err_set(err, "Wait for the %s: they are not known yet",
		               stage_name(analysis_lacks(rows->analysis, needs)));
	struct filter *filter = g->where ? filter_new(table, g->where, err) : NULL;
	if (g->where && !filter)
		return false;
	g->rows = rows_open_watched(table, rows->analysis, g->argument, rows->progress, err);
	if (g->rows && table->tree && table->tree->unfold)
		table->tree->unfold(g->rows);
	bool done = g->rows && grouped_fill(rows, g, filter, err)
	            && (rows->count || filter_has_columns(filter, g->rows, err));
	filter_free(filter);
	return done;
}

static void grouped_close(struct rows *rows)
{
	grouped_free(rows->data);
	rows->data = NULL;
}

/* ---- The link of a row: the rows that have its value */

/* Appends the rows with a text in a column as an argument, which needs no filter. False: the column
   has none. */
static bool grouped_link_set(const struct grouped *g, const struct value *value,
                             struct buf *command)
{
	SCOPED_BUF set = {0};
	const char *selector = g->keyed ? field_columns_table(&g->fields)->columns[g->grouping.key].set
	                                : NULL;
	if (!selector || g->where || value->kind != VALUE_TEXT)
		return false;
	if (*g->argument)
		buf_addf(&set, strstr(g->argument, " or ") ? "(%s) and " : "%s and ", g->argument);
	buf_addf(&set, "%s%s", selector, buf_text(value->text));
	buf_addf(command, "%s ", g->of);
	text_add_quoted(command, "", buf_text(&set));
	return true;
}

static void grouped_link(const struct rows *rows, size_t row, struct buf *command)
{
	const struct grouped *g = grouped_of(rows);
	SCOPED_BUF literal = {0}, text = {0};
	struct value value = {.text = &text};
	grouping_value(&g->grouping, row, &value);
	bool mixed = value.kind == VALUE_TEXT && g->column[0].kind != VALUE_TEXT;
	bool linked = !g->grouping.group[row].others && !mixed && !g->table.tree;
	if (linked && !grouped_link_set(g, &value, command)
	    && (!g->keyed || filter_add_literal(&value, &literal))) {
		buf_add(command, g->of);
		buf_add(command, *g->argument ? " " : "");
		if (*g->argument)
			text_add_quoted(command, "", g->argument);
		buf_add(command, "; filter ");
		if (g->keyed)
			buf_addf(command, "%s = %s", g->name[0], buf_text(&literal));
		if (g->where)
			buf_addf(command, g->keyed ? " and (%s)" : "%s", g->where);
	}
}

DEFINE_PLUGIN(tables, struct table, table_grouped) = {
	.rank = 395,
	.name = "grouped",
	.help = "The values of a column or field of a table: for each value the number of rows, the "
			"bytes of their objects, and sums. --group on the command line and group in a list "
			"open this table",
	.argument = "KEY,sum(COL)... of TABLE [ARG] [where EXPR]",
	.takes = TAKES_FILTER,
	.needs = STAGE_READ,
	.needs_with = grouped_needs,
	.columns = grouped_columns,
	.column_count = FIXED,
	.open = grouped_open,
	.link = grouped_link,
	.close = grouped_close,
	.sort = "count",
	.makes_columns = true,
};
