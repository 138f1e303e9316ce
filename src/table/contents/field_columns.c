#include "table/contents/field_columns.h"

#include "base/hash.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/text.h"
#include "table/contents/field_value.h"
#include "table/naming/expression.h"
#include "table/naming/nearest.h"
#include "table/query/filter_lex.h"

#include <stdlib.h>
#include <string.h>

enum {
	WIDTH = 16,
	TRIED = 1000,
	SHOWN = 80,
	CHOSEN = 5, /* above the ranks of the columns that are chosen */
};              /* TRIED: most objects of a type that are checked for the field */

/* ---- Syntax of expressions */

/* Returns the length of text in brackets; quotes may contain brackets. */
static size_t field_columns_bracket(const char *text)
{
	size_t at = 1;
	bool quoted = false;
	for (; text[at] && (quoted || text[at] != ']'); at++) {
		if (quoted && text[at] == '\\' && text[at + 1])
			at++;
		else
			quoted ^= text[at] == '"';
	}
	return text[at] ? at + 1 : 0;
}

/* Returns the length of the steps up to a blank, a relation, a comma. */
static size_t field_columns_steps(const char *text)
{
	size_t at = 0;
	while (text[at] && !strchr(" \t=!<>~,)\"'", text[at])) {
		size_t step = text[at] == '[' ? field_columns_bracket(text + at) : 1;
		if (strncmp(text + at, "(+0x", 4) == 0)
			step = strcspn(text + at, ")") + 1;
		else if (text[at] == '(')
			return 0;
		if (!step || step > strlen(text + at))
			return 0;
		at += step;
	}
	return at;
}

static bool field_columns_begins(const char *text)
{
	return text[0] == '.' && text[1] && !strchr(" .\t=!<>~,)(*\"'", text[1]);
}

size_t field_columns_length(const char *text)
{
	bool call = strncmp(text, "len(", 4) == 0 || strncmp(text, "cap(", 4) == 0;
	const char *steps = text + (call ? 4 : 0);
	size_t length = field_columns_begins(steps) ? field_columns_steps(steps) : 0;
	if (!length || !call)
		return length;
	return steps[length] == ')' ? length + 5 : 0;
}

size_t field_columns_name_length(const char *text)
{
	size_t length = field_columns_length(text);
	return length ? length : strspn(text, "abcdefghijklmnopqrstuvwxyz_");
}

/* ---- The table */

void field_columns_init(struct field_columns *columns, const struct table *base)
{
	*columns = (struct field_columns){.base = base, .table = *base};
}

void field_columns_fini(struct field_columns *columns)
{
	for (int i = 0; i < columns->count; i++)
		free(columns->name[i]);
	free(columns->columns);
	*columns = (struct field_columns){0};
}

const struct table *field_columns_table(const struct field_columns *columns)
{
	return columns->count ? &columns->table : columns->base;
}

/* Columns of the user, which have rank 0 and no width of their own, take precedence over the
   table's own on a narrow screen. So do those that are chosen, whose ranks are below CHOSEN. */
static bool field_columns_add_ranked(struct field_columns *columns, const char *text, size_t length,
                                     int rank, int width, struct err *err)
{
	const struct table *base = columns->base;
	struct buf name = {0};
	buf_add_bytes(&name, text, length);
	int column = table_column(&columns->table, buf_text(&name));
	bool known = column >= 0;
	bool objects = base->value || base->entity || base->object;
	bool room = columns->count < FIELD_COLUMNS_MOST
	            && columns->table.column_count < TABLE_COLUMNS_MOST;
	if (known && columns->columns && columns->columns[column].is_field
	    && columns->columns[column].rank > rank)
		columns->columns[column].rank = rank;
	if (!known && room && objects) {
		int count = columns->table.column_count;
		struct column *all = mem_alloc(((size_t)count + 1) * sizeof *all);
		memcpy(all, columns->table.columns, (size_t)count * sizeof *all);
		columns->name[columns->count] = mem_strdup(buf_text(&name));
		for (int i = 1; i < count; i++)
			if (!all[i].is_field && rank && !columns->count)
				all[i].rank += all[i].kind == VALUE_BYTES ? CHOSEN : CHOSEN + 1;
			else if (all[i].width && !all[i].is_field && all[i].rank == 0)
				all[i].rank = 1;
		all[count] = (struct column){
			.name = columns->name[columns->count],
			.title = columns->name[columns->count],
			.help = "A field of the object",
			.width = width,
			.rank = rank,
			.stages = STAGE_TYPED,
			.is_field = true,
			.is_signed = true,
		};
		free(columns->columns);
		columns->columns = all;
		columns->table.columns = all;
		columns->table.column_count++;
		columns->count++;
		known = true;
	}
	buf_free(&name);
	if (!known && !objects)
		return err_set(err, "The rows of %s are not objects, so they have no fields", base->name);
	return known
	       || err_set(err, "Too many columns: %d at most, and %d fields", TABLE_COLUMNS_MOST,
	                  FIELD_COLUMNS_MOST);
}

bool field_columns_add(struct field_columns *columns, const char *text, size_t length,
                       struct err *err)
{
	return field_columns_add_ranked(columns, text, length, 0, WIDTH, err);
}

void field_columns_drop(struct field_columns *columns)
{
	free(columns->name[--columns->count]);
	columns->table.column_count--;
}

bool field_columns_add_list(struct field_columns *columns, const char *names, struct err *err)
{
	while (names && *names) {
		size_t length = field_columns_length(names);
		if (length && !field_columns_add(columns, names, length, err))
			return false;
		names += length ? length : strcspn(names, ",");
		names += *names == ',';
	}
	return true;
}

bool field_columns_add_filter(struct field_columns *columns, const char *filter, struct err *err)
{
	struct lexer lexer = {.line = filter};
	SCOPED_BUF word = {0};
	bool good = true;
	while (filter && good) {
		lexer_next(&lexer);
		if (lexer.kind == TOKEN_RELATION && word.len)
			good = field_columns_add(columns, word.data, word.len, err);
		buf_clear(&word);
		if (lexer.kind == TOKEN_END || lexer.kind == TOKEN_UNCLOSED)
			break;
		if (lexer.kind == TOKEN_WORD && field_columns_length(buf_text(&lexer.text)))
			buf_add(&word, buf_text(&lexer.text));
	}
	buf_free(&lexer.text);
	return good;
}

/* ---- Fields of the values */

struct field_settling {
	const struct rows *rows;
	struct column *column;
	struct map tried; /* type -> number of objects checked */
	struct map names; /* hashes of the names suggested */
	struct nearest nearest;
	struct err *err; /* of the first failed step after the first one */
	uint64_t objects;
	bool found, nil;
};

static void field_settle_see(void *self, const char *name)
{
	struct field_settling *s = self;
	uint64_t hash = 0, seen;
	for (const char *at = name; *at; at++)
		hash = hash_mix(hash, (uint8_t)*at, hash_multiplier());
	if (map_get(&s->names, hash, &seen) || *name != '.')
		return;
	map_put(&s->names, hash, 1);
	nearest_see(&s->nearest, name);
}

/* Checks one value for the field. If a later step fails, its message is saved; if the first step
   fails, the names of all types are collected. */
static void field_settle_value(struct field_settling *s, const struct datum *whole)
{
	const struct analysis *analysis = s->rows->analysis;
	SCOPED_BUF text = {0};
	struct value value = {.text = &text};
	struct err err = {0};
	uint64_t tried = 0;
	s->objects++;
	map_get(&s->tried, whole->type, &tried);
	if (!whole->type || tried >= TRIED)
		return;
	map_put(&s->tried, whole->type, tried + 1);
	bool there = field_value_get(analysis, whole, s->column->name, &value, &err);
	bool missing = strstr(err.text, "has no such field") != NULL;
	s->found |= there;
	s->nil |= err.text[0] == '.' && !missing;
	if (value.kind != VALUE_NONE && s->column->kind == VALUE_NONE)
		s->column->kind = value.kind;
	if (!s->found && !tried)
		expression_each(analysis, whole, field_settle_see, s);
	if (missing && err.text[0] == '.' && !s->err->set)
		*s->err = err;
}

/* Appends the first step of a column's expression. */
static void field_settle_wanted(const char *name, struct buf *wanted)
{
	name += *name == '.' ? 0 : 4;
	buf_add_bytes(wanted, name, 1 + strcspn(name + 1, ".[( )"));
}

static bool field_settle_fail(struct field_settling *s, struct err *err)
{
	SCOPED_BUF text = {0};
	if (s->err->set)
		return err_set(err, "%s", s->err->text);
	buf_addf(&text, "No object here has ");
	text_add_escaped(&text, s->nearest.wanted, strlen(s->nearest.wanted), SHOWN);
	if (s->nearest.count) {
		buf_add(&text, ": there are ");
		nearest_add(&s->nearest, &text);
	}
	return err_set(err, "%.380s", buf_text(&text));
}

static bool field_settle_column(struct column *column, const struct rows *rows, const uint32_t *row,
                                size_t count, struct err *err)
{
	struct err deeper = {0};
	SCOPED_BUF wanted = {0};
	field_settle_wanted(column->name, &wanted);
	struct field_settling s = {
		.rows = rows,
		.column = column,
		.nearest = {.wanted = buf_text(&wanted)},
		.err = &deeper,
	};
	for (size_t i = 0; i < count && !(s.found && column->kind != VALUE_NONE); i++) {
		struct datum whole;
		if (rows_value(rows, row ? row[i] : i, &whole))
			field_settle_value(&s, &whole);
	}
	bool good = s.found || !s.objects || (s.nil && !deeper.set) || field_settle_fail(&s, err);
	map_free(&s.tried);
	map_free(&s.names);
	return good;
}

bool field_columns_settle(struct field_columns *columns, const struct rows *rows,
                          const uint32_t *row, size_t count, struct err *err)
{
	bool good = true;
	if (columns->count && !analysis_typing(rows->analysis))
		return err_set(err, "Fields are known only with the executable of the program: --exe FILE");
	for (int i = 0; i < columns->count && good; i++)
		good = field_settle_column(&columns->columns[columns->base->column_count + i], rows, row,
		                           count, err);
	return good;
}

/* ---- Fields that tell the objects of a set apart */

struct field_choice {
	struct field_columns *columns;
	const struct rows *rows;
	int chosen, tried;
	const char *above; /* the fields that are visited are those of this field; NULL: of the object
	                    */
};

/* Appends a field of the object of a row as text; nothing: it has none, or one with parts. */
static void field_choice_text(const struct field_choice *choice, size_t row, const char *name,
                              struct buf *out)
{
	SCOPED_BUF text = {0};
	struct value value = {.text = &text};
	struct datum whole;
	if (rows_value(choice->rows, row, &whole)
	    && field_value_is_plain(choice->rows->analysis, &whole, name)
	    && field_value_get(choice->rows->analysis, &whole, name, &value, NULL))
		value_add(&value, out);
}

/* Returns the width that the first rows need for a field, if they differ in it; 0: they do not. */
static int field_choice_width(const struct field_choice *choice, const char *name)
{
	enum { ROWS = 50 };
	SCOPED_BUF first = {0}, other = {0};
	int width = text_columns(name) + 1;
	bool differs = false;
	for (size_t row = 0; row < ROWS && row < choice->rows->count; row++) {
		struct buf *text = row ? &other : &first;
		buf_clear(&other);
		field_choice_text(choice, row, name, text);
		differs |= row && strcmp(buf_text(&first), buf_text(&other)) != 0;
		width = width < text_columns(buf_text(text)) ? text_columns(buf_text(text)) : width;
	}
	return !differs ? 0 : width < WIDTH ? width : WIDTH;
}

/* Adds a column for a field if the first rows differ in it. */
static void field_choice_see(void *self, const char *step)
{
	enum { MOST = CHOSEN - 1, TRIES = 200 };
	struct field_choice *choice = self;
	SCOPED_BUF name = {0};
	buf_addf(&name, "%s%s", choice->above ? choice->above : "", step);
	if (choice->chosen < MOST && choice->tried < TRIES && *buf_text(&name) == '.'
	    && field_columns_length(buf_text(&name)) == name.len
	    && strcspn(step + 1, ".([\"") + 1 == strlen(step)) {
		int width = field_choice_width(choice, buf_text(&name));
		choice->tried++;
		if (width
		    && field_columns_add_ranked(choice->columns, name.data, name.len, choice->chosen + 1,
		                                width, NULL))
			choice->chosen++;
	}
}

/* Adds columns for the fields of a field that has parts. */
static void field_choice_see_below(void *self, const char *step)
{
	struct field_choice *choice = self;
	const struct analysis *analysis = choice->rows->analysis;
	struct datum whole, place;
	if (*step != '.' || !rows_value(choice->rows, 0, &whole)
	    || field_value_is_plain(analysis, &whole, step)
	    || !field_value_find(analysis, &whole, step, &place))
		return;
	choice->above = step;
	expression_each(analysis, &place, field_choice_see, choice);
	choice->above = NULL;
}

void field_columns_choose(struct field_columns *columns, const struct rows *rows)
{
	const struct analysis *analysis = rows->analysis;
	struct field_choice choice = {.columns = columns, .rows = rows};
	struct err err = {0};
	struct datum whole;
	if (!rows->count || !analysis_typing(analysis) || !rows_value(rows, 0, &whole))
		return;
	expression_each(analysis, &whole, field_choice_see, &choice);
	expression_each(analysis, &whole, field_choice_see_below, &choice);
	field_columns_settle(columns, rows, NULL, rows->count, &err);
}

void field_columns_cell(const struct rows *rows, size_t row, const struct column *column,
                        struct value *value)
{
	struct datum whole;
	if (analysis_typing(rows->analysis) && rows_value(rows, row, &whole))
		field_value_get(rows->analysis, &whole, column->name, value, NULL);
}
