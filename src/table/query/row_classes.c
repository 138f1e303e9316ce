#include "table/query/row_classes.h"

#include "base/mem.h"
#include "base/text.h"
#include "heap/heap.h"
#include "table/cell.h"
#include "table/contents/object_set.h"
#include "table/query/filter.h"
#include "table/query/row_classes_make.h"

#include <stdlib.h>
#include <string.h>

static const char *classes_base(const struct table *table)
{
	return table->classes_of ? table->classes_of : table->view_of;
}

/* ---- The other table, with the fields that are shown */

/* Returns false, with *err, if a column does not exist. */
static bool classes_find_columns(struct classes *c, const struct table *table, struct err *err)
{
	for (int i = 0; i < table->column_count; i++) {
		const char *from = table->columns[i].of.from;
		bool own = !from || table->columns[i].of.how == CLASS_DELTA;
		c->column[i].from = own ? -1 : table_column(c->of_table, from);
		if (!own && c->column[i].from < 0)
			return err_set(err, "The table %s has no column \"%.60s\"", c->of_table->name, from);
	}
	return true;
}

static bool classes_begin(struct classes *c, const struct table *table, struct err *err)
{
	const struct table *of = table_find(classes_base(table));
	if (!of)
		return err_set(err, "There is no table \"%.40s\"", classes_base(table));
	if (of->makes_columns)
		return err_set(err, "The rows of %s cannot be grouped", of->name);
	c->others = SIZE_MAX;
	c->column = mem_alloc((size_t)table->column_count * sizeof *c->column);
	field_columns_init(&c->fields, of);
	for (int i = 0; i < table->column_count; i++) {
		const char *from = table->columns[i].of.from;
		if (from && field_columns_length(from)
		    && !field_columns_add(&c->fields, from, strlen(from), err))
			return false;
	}
	if (!field_columns_add_filter(&c->fields, table->of_where, err))
		return false;
	c->of_table = field_columns_table(&c->fields);
	if (!classes_find_columns(c, table, err))
		return false;
	c->filter = table->of_where ? filter_new(c->of_table, table->of_where, err) : NULL;
	return c->filter || !table->of_where;
}

static void classes_fini(struct classes *c, const struct table *table)
{
	rows_close(c->of);
	filter_free(c->filter);
	for (int i = 0; c->column && i < table->column_count; i++)
		codes_fini(&c->column[i].codes);
	field_columns_fini(&c->fields);
	free(c->column);
	free(c->cell);
	free(c->of_row);
	free(c->row);
}

bool classes_check(const struct table *table, struct err *err)
{
	struct classes c = {0};
	bool good = classes_begin(&c, table, err);
	classes_fini(&c, table);
	return good;
}

unsigned classes_need(const struct table *table)
{
	struct classes c = {0};
	unsigned needs = STAGE_READ;
	if (classes_begin(&c, table, NULL)) {
		needs |= table_needs(c.of_table, table->of_argument) | c.of_table->wants;
		needs |= c.filter ? filter_needs(c.filter) : STAGE_NONE;
		for (int i = 0; i < table->column_count; i++) {
			int from = c.column[i].from;
			if (from >= 0)
				needs |= c.of_table->columns[from].stages | c.of_table->columns[from].wants;
			if (table->columns[i].of.how == CLASS_RETAINED)
				needs |= STAGE_OWNED | STAGE_TYPED;
		}
	}
	classes_fini(&c, table);
	return needs;
}

/* ---- Retained bytes of each class */

static void classes_of_objects(const void *self, const struct analysis *analysis, uint32_t *row_of)
{
	(void)analysis;
	classes_members(self, row_of);
}

void *classes_retained_make(const struct table *table, const struct analysis *analysis,
                            enum retain retain, struct progress *progress)
{
	struct rows *rows = rows_open(table, analysis, NULL, &(struct err){0});
	if (!rows)
		return NULL;
	const struct object_classes of = {rows->count, rows, classes_of_objects};
	struct retained_of_class *retained = retained_of_classes(&of, analysis, retain, progress);
	rows_close(rows);
	return retained;
}

/* Returns true if some row is about objects. */
static bool classes_have_objects(const struct rows *of)
{
	bool found = of->table->members;
	for (size_t row = 0; !found && row < of->count; row++)
		found = rows_object(of, row) != OBJECT_NONE;
	return found;
}

/* Computes them where opening may take long. */
static void classes_retain(struct rows *rows)
{
	struct classes *c = rows->classes;
	const struct object_classes of = {rows->count, rows, classes_of_objects};
	size_t columns = (size_t)rows->table->column_count;
	const struct kept_kind *kept = analysis_parts(rows->analysis) ? NULL : rows->table->retained;
	for (size_t i = 0; i < columns && rows->count && rows->progress; i++)
		if (rows->table->columns[i].of.how == CLASS_RETAINED && analysis_has_roots(rows->analysis)
		    && classes_have_objects(c->of))
			c->retained = retained_of_classes_store(&of, rows->analysis, kept, rows->progress,
			                                        &c->cell[i].number, columns * sizeof *c->cell);
}

bool classes_retained_unknown(const struct rows *rows)
{
	return rows->classes && !rows->classes->retained;
}

bool classes_no_objects(const struct rows *rows)
{
	return rows->classes && !rows->classes->objects;
}

/* ---- Opening */

/* Opens the rows of the other table and selects those of the filter. */
static bool classes_select(struct rows *rows, const char *argument, size_t *count, struct err *err)
{
	struct classes *c = rows->classes;
	c->of = rows_open_watched(c->of_table, rows->analysis, argument, rows->progress, err);
	if (!c->of)
		return false;
	if (c->of_table->tree && c->of_table->tree->unfold)
		c->of_table->tree->unfold(c->of);
	*count = c->of->count;
	if (!field_columns_settle(&c->fields, c->of, NULL, *count, err))
		return false;
	if (!c->filter)
		return true;
	c->row = rows_filtered(c->of, c->filter, SIZE_MAX, count, rows->progress);
	return c->row ? field_columns_settle(&c->fields, c->of, c->row, *count, err)
	              : err_set(err, "Filtering was cancelled");
}

static bool classes_group(struct rows *rows, size_t count, struct err *err)
{
	struct classes *c = rows->classes;
	bool done = classes_make(rows, c->row, count);
	free(c->row);
	c->row = NULL;
	if (!done)
		return err_set(err, "Grouping was cancelled");
	return rows->count || filter_has_columns(c->filter, c->of, err);
}

static void classes_view(struct rows *rows, size_t count)
{
	struct classes *c = rows->classes;
	rows->count = count;
	if (!c->row || !rows->table->members)
		return;
	c->of_row = mem_alloc((c->of->count + 1) * sizeof *c->of_row);
	memset(c->of_row, 0xff, c->of->count * sizeof *c->of_row);
	for (size_t i = 0; i < count; i++)
		c->of_row[c->row[i]] = (uint32_t)i;
}

bool classes_open(struct rows *rows, const char *argument, struct err *err)
{
	const struct table *table = rows->table;
	struct classes *c = rows->classes = mem_alloc(sizeof *c);
	size_t count;
	if (!classes_begin(c, table, err)
	    || !classes_select(rows, table->of_argument ? table->of_argument : argument, &count, err))
		return false;
	rows->unknown = c->of->unknown;
	if (table->view_of)
		classes_view(rows, count);
	else if (!classes_group(rows, count, err))
		return false;
	if (table->classes_of && !table->makes_columns)
		classes_sort(rows);
	if (!rows->count && !table->none)
		buf_add(&rows->note, buf_text(&c->of->note));
	classes_retain(rows);
	return true;
}

static void classes_close(struct rows *rows)
{
	if (rows->classes)
		classes_fini(rows->classes, rows->table);
	free(rows->classes);
}

/* ---- Reading */

static const struct rows *classes_row(const struct rows *rows, size_t *row)
{
	while (rows->classes && rows->table->view_of) {
		*row = rows->classes->row ? rows->classes->row[*row] : *row;
		rows = rows->classes->of;
	}
	return rows;
}

static const struct class_cell *classes_cell_at(const struct rows *rows, size_t row, int column)
{
	return &rows->classes->cell[row * (size_t)rows->table->column_count + (size_t)column];
}

static void class_key_cell(const struct rows *rows, size_t row, int column, struct value *value)
{
	const struct class_cell *cell = classes_cell_at(rows, row, column);
	value->kind = (enum value_kind)cell->kind;
	value->number = cell->number;
	value->whole = cell->whole;
	value->negative = cell->negative;
	buf_add(value->text, codes_text(&rows->classes->column[column].codes, cell->text));
}

static void class_sum_cell(const struct rows *rows, size_t row, int column, struct value *value)
{
	const struct class_cell *cell = classes_cell_at(rows, row, column);
	enum value_kind kind = rows->table->columns[column].kind;
	if (rows->classes->column[column].real) {
		value->kind = VALUE_REAL;
		value->real = (double)cell->number - (double)cell->whole + cell->real;
		return;
	}
	value->negative = cell->whole > cell->number;
	cell_number(value, kind,
	            value->negative ? cell->whole - cell->number : cell->number - cell->whole);
}

void classes_cell(const struct rows *rows, size_t row, struct value *value)
{
	int column = value->column;
	const struct classes *c = rows->classes;
	const struct column *at = &rows->table->columns[column];
	enum class_how how = at->of.how;
	if (how == CLASS_SAME) {
		row = c->row ? c->row[row] : row;
		rows_cell(c->of, row, c->column[column].from, value);
		return;
	}
	const struct class_cell *cell = classes_cell_at(rows, row, column);
	if (how == CLASS_KEY)
		class_key_cell(rows, row, column, value);
	else if (how == CLASS_SUM)
		class_sum_cell(rows, row, column, value);
	else if (how == CLASS_SHARE)
		cell_share(value, cell->number, c->column[column].whole.number);
	else if (how == CLASS_ROWS || (how == CLASS_BYTES && c->objects)
	         || (how == CLASS_MOST && cell->kind) || (how == CLASS_RETAINED && c->retained))
		cell_number(value, at->kind, cell->number);
}

void classes_members(const struct rows *rows, uint32_t *row_of)
{
	const struct classes *c = rows->classes;
	if (c->of->table->members) {
		c->of->table->members(c->of, row_of);
		for (uint32_t id = 0; id < heap_object_count(analysis_heap(rows->analysis)); id++)
			if (row_of[id] != UINT32_MAX)
				row_of[id] = c->of_row ? c->of_row[row_of[id]] : row_of[id];
		return;
	}
	for (size_t row = 0; row < c->of->count; row++) {
		uint32_t id = rows_object(c->of, row);
		if (id != OBJECT_NONE)
			row_of[id] = c->of_row ? c->of_row[row] : (uint32_t)row;
	}
}

/* ---- The link of a row: the rows of its class */

static const char *classes_argument(const struct rows *rows)
{
	return rows->table->of_argument ? rows->table->of_argument : "";
}

/* Appends the rows with a text in the only key as an argument, which needs no filter. False: the
   column has none. */
static bool classes_link_set(const struct rows *rows, size_t row, int key, struct buf *command)
{
	const struct table *of = rows->classes->of_table;
	const char *argument = classes_argument(rows);
	SCOPED_BUF set = {0}, text = {0};
	struct value value = {.text = &text};
	class_key_cell(rows, row, key, &value);
	const char *selector = of->columns[rows->classes->column[key].from].set;
	if (!selector || rows->table->of_where || value.kind != VALUE_TEXT)
		return false;
	if (*argument) {
		object_set_add_operand(&set, argument);
		buf_add(&set, " and ");
	}
	buf_addf(&set, "%s%s", selector, buf_text(&text));
	buf_addf(command, "%s ", of->name);
	text_add_quoted(command, "", buf_text(&set));
	return true;
}

/* Appends the keys as a filter. False: it cannot say the value of one. */
static bool classes_link_keys(const struct rows *rows, size_t row, int *only, struct buf *filter)
{
	const struct table *table = rows->table;
	SCOPED_BUF text = {0};
	int keys = 0;
	for (int i = 0; i < table->column_count; i++) {
		struct value value = {.text = &text};
		if (table->columns[i].of.how != CLASS_KEY)
			continue;
		buf_clear(&text);
		class_key_cell(rows, row, i, &value);
		bool mixed = value.kind == VALUE_TEXT && table->columns[i].kind != VALUE_TEXT;
		buf_addf(filter, "%s%s = ", keys++ ? " and " : "", table->columns[i].of.from);
		if (mixed || !filter_add_literal(&value, filter))
			return false;
		*only = keys == 1 ? i : -1;
	}
	return true;
}

static void classes_link(const struct rows *rows, size_t row, struct buf *command)
{
	const struct table *table = rows->table;
	const char *argument = classes_argument(rows);
	SCOPED_BUF filter = {0};
	int only = -1;
	bool said = classes_link_keys(rows, row, &only, &filter);
	if (row == rows->classes->others || (only >= 0 && classes_link_set(rows, row, only, command))
	    || !said)
		return;
	if (table->of_where)
		buf_addf(&filter, filter.len ? " and (%s)" : "%s", table->of_where);
	buf_addf(command, "%s%s", table->classes_of, *argument ? " " : "");
	if (*argument)
		text_add_quoted(command, "", argument);
	buf_addf(command, "; filter %s", buf_text(&filter));
}

const struct rows_made classes_made = {
	.needs = classes_need,
	.open = classes_open,
	.close = classes_close,
	.link = classes_link,
	.row = classes_row,
};
