/* The table of the distinct values that rows of another table have in a column or a field, with the
   number of such rows. */
#include "analysis/analysis.h"
#include "base/mem.h"
#include "base/text.h"
#include "table/contents/field_columns.h"
#include "table/query/row_classes.h"

#include <stdlib.h>
#include <string.h>

enum { NAME_SHOWN = 60, FIXED = 3, SUMS = 4, WIDEST = 24 };

struct grouped {
	struct table table; /* with the columns of this query */
	struct column column[FIXED + SUMS];
	char *name[1 + SUMS];        /* names of the key column and of the summed columns */
	char *heads[1 + SUMS];       /* as they are written */
	char *of, *argument, *where; /* NULL: none */
	int sums;
	bool keyed; /* false: all rows are one group */
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
	if (!sum && (g->keyed || g->sums))
		return err_set(err,
		               "Rows are grouped by one column, which comes first; others are "
		               "added up: sum(%.*s)",
		               length < NAME_SHOWN ? (int)length : NAME_SHOWN, name);
	if (g->sums == SUMS)
		return err_set(err, "Too many sums: %d at most", SUMS);
	int place = sum ? 1 + g->sums++ : 0;
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

/* ---- The columns */

static const struct column grouped_columns[FIXED] = {
	{"value", "value",
     "The value of the column or field. Values beyond the first million, or 256 MB of text, share "
     "the last row",
     VALUE_TEXT, 0, 0, .cell = classes_cell},
	{"count", "count", "Number of rows with this value", VALUE_COUNT, 11, 0, ROWS_COUNT},
	{"bytes", "bytes", "Bytes of the objects of these rows", VALUE_BYTES, 11, 0, ROWS_BYTES},
};

static void grouped_make_columns(struct grouped *g)
{
	memcpy(g->column, grouped_columns, sizeof grouped_columns);
	g->column[0].is_signed = true;
	if (g->keyed) {
		g->column[0].title = g->heads[0];
		g->column[0].of = (struct class_measure){CLASS_KEY, g->name[0]};
	}
	for (int i = 0; i < g->sums; i++) {
		size_t width = strlen(g->heads[1 + i]);
		g->column[FIXED + i] = (struct column){
			.name = g->heads[1 + i],
			.title = g->heads[1 + i],
			.help = "Sum over these rows",
			.width = width < WIDEST ? (int)width : WIDEST,
			.is_signed = true,
			SUM(g->name[1 + i]),
		};
	}
}

/* Sets the kinds of the columns, which are known once rows exist. */
static void grouped_settle_columns(struct grouped *g, const struct classes *c)
{
	if (g->keyed)
		g->column[0].kind = c->of->table->columns[c->column[0].from].kind;
	if (g->column[0].kind != VALUE_TEXT && g->column[0].kind != VALUE_LIST)
		g->column[0].width = 20;
	for (int i = FIXED; i < FIXED + g->sums; i++) {
		enum value_kind kind = c->of->table->columns[c->column[i].from].kind;
		g->column[i].kind = c->column[i].real                           ? VALUE_REAL
		                    : kind == VALUE_BYTES || kind == VALUE_TIME ? kind
		                                                                : VALUE_COUNT;
	}
}

static bool grouped_read(struct grouped *g, const char *argument, const struct table *table,
                         struct err *err)
{
	if (!grouped_parse(g, argument, err))
		return false;
	grouped_make_columns(g);
	g->table = *table;
	g->table.columns = g->column;
	g->table.column_count = FIXED + g->sums;
	g->table.made = &classes_made;
	g->table.classes_of = g->of;
	g->table.of_argument = g->argument;
	g->table.of_where = g->where;
	return true;
}

static void grouped_free(struct grouped *g)
{
	for (int i = 0; i <= SUMS; i++) {
		free(g->name[i]);
		free(g->heads[i]);
	}
	free(g->of);
	free(g->argument);
	free(g->where);
	free(g);
}

/* Returns the required stages. Opening reports a malformed argument. */
static unsigned grouped_needs(const char *argument)
{
	struct grouped *g = mem_alloc(sizeof *g);
	unsigned stages = STAGE_READ;
	if (grouped_read(g, argument, &(struct table){0}, NULL))
		stages |= classes_need(&g->table);
	grouped_free(g);
	return stages_with(stages);
}

/* ---- Rows */

static void grouped_add_title(const struct grouped *g, const struct classes *c, struct buf *title)
{
	text_add_safe(title, buf_text(&c->of->title));
	if (g->where) {
		buf_add(title, " where ");
		text_add_escaped(title, g->where, strlen(g->where), NAME_SHOWN);
	}
	if (g->keyed) {
		buf_add(title, ", by ");
		text_add_escaped(title, g->heads[0], strlen(g->heads[0]), NAME_SHOWN);
	}
	if (c->left_out)
		buf_addf(title, "; %s", text_number_of(c->left_out, "has none", "have none").text);
	if (c->no_number) {
		buf_addf(title, "; %s not added: not numbers, or guesses", text_count(c->no_number).text);
	}
}

static bool grouped_open(struct rows *rows, const char *argument, struct err *err)
{
	struct grouped *g = rows->data = mem_alloc(sizeof *g);
	if (!grouped_read(g, argument, rows->table, err) || !classes_check(&g->table, err))
		return false;
	unsigned needs = grouped_needs(argument);
	if (!analysis_has(rows->analysis, needs))
		return err_set(err, "Wait for the %s: they are not known yet",
		               stage_name(analysis_lacks(rows->analysis, needs)));
	rows->table = &g->table;
	if (!classes_open(rows, argument, err))
		return false;
	grouped_settle_columns(g, rows->classes);
	grouped_add_title(g, rows->classes, &rows->title);
	const struct rows *of = rows->classes->of;
	if (!rows->count && (of->count || !of->note.len)) {
		buf_clear(&rows->note);
		buf_add(&rows->note, "No row has such a value.");
	}
	return true;
}

static void grouped_close(struct rows *rows)
{
	grouped_free(rows->data);
	rows->data = NULL;
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
	.close = grouped_close,
	.sort = "count",
	.makes_columns = true,
};
