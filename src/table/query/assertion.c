#include "table/query/assertion.h"

#include "base/mem.h"
#include "base/text.h"
#include "format/format.h"
#include "table/cell.h"
#include "table/naming/argument.h"
#include "table/naming/entity.h"
#include "table/query/assertion_parts.h"

#include <stdlib.h>
#include <string.h>

void assertion_value(const struct assertion *assertion, struct value *value)
{
	cell_number(value, assertion->kind, assertion->value);
	value->negative = assertion->negative;
}

static void value_cell(const struct rows *rows, size_t row, struct value *value)
{
	(void)row;
	assertion_value(rows->data, value);
}

static const struct column value_columns[3][1] = {
	{{"value", "value", "The measured value", VALUE_COUNT, 0, 0, .cell = value_cell}},
	{{"value", "value", "The measured value", VALUE_BYTES, 0, 0, .cell = value_cell}},
	/* The value of a sum: possibly negative, in any unit. */
	{{"value", "value", "The measured value", VALUE_NONE, 0, 0, .cell = value_cell}},
};

/* Tables with one row and one cell, the measured value. A relation is a filter over such a
   table. */
static const struct table value_tables[3] = {
	{.name = "value", .columns = value_columns[0], .column_count = 1},
	{.name = "value", .columns = value_columns[1], .column_count = 1},
	{.name = "value", .columns = value_columns[2], .column_count = 1},
};

static const struct table *value_table(const struct assertion *assertion)
{
	bool bytes = assertion->kind == VALUE_BYTES;
	return &value_tables[bytes ? 1 : assertion->summed ? 2 : 0];
}

static bool assertion_find_measure(struct assertion *assertion, const char *name, struct err *err)
{
	assertion->measure = measure_find(name);
	const char *of = assertion->measure ? assertion->measure->table : name;
	assertion->table = table_find(of ? of : "objects");
	if (!assertion->measure)
		assertion->measure = &measure_rows;
	assertion->kind = assertion->measure->kind;
	if (!assertion->table || (assertion->table->argument && *assertion->table->argument != '['))
		return err_set(
			err, "An assertion begins with retained(, owned(, bytes(, sum(, growth(, wasted(, "
				 "rss(, memory( or the name of a table that needs no argument, such "
				 "as " THREADS_WORD "(");
	return true;
}

/* Returns the last character of a key in quotation marks, such as "a\"b". */
static const char *key_end(const char *key)
{
	const char *at = key + 1;
	for (; *at && *at != '"'; at++)
		at += *at == '\\' && at[1];
	return *at ? at : at - 1;
}

/* Returns the parenthesis that closes the one at *open, ignoring quoted text; NULL: none. */
static const char *closing(const char *open)
{
	int depth = 0;
	char quote = 0;
	for (const char *at = open; *at; at++) {
		if (*at == '[' && at[1] == '"' && !quote)
			at = key_end(at + 1);
		else if (quote)
			quote = *at == quote ? 0 : quote;
		else if (*at == '"' || *at == '\'')
			quote = *at;
		else if (*at == '(')
			depth++;
		else if (*at == ')' && --depth == 0)
			return at;
	}
	return NULL;
}

/* Makes a filter of a part of the text. The part keeps its column, because messages refer to
   columns. `before` is prefixed to it. */
static struct filter *filter_part(const struct table *table, const char *text, const char *start,
                                  size_t length, const char *before, struct err *err)
{
	SCOPED_BUF line = {0};
	size_t column = (size_t)(start - text) - strlen(before);
	while (line.len < column)
		buf_add(&line, " ");
	buf_add(&line, before);
	buf_add_bytes(&line, start, length);
	return filter_new(table, buf_text(&line), err);
}

static bool assertion_parse_filter(struct assertion *assertion, const char *text, const char *inner,
                                   const char *close, struct err *err)
{
	char *filter = mem_strndup(inner, (size_t)(close - inner));
	bool known = field_columns_add_filter(&assertion->fields, filter, err);
	assertion->table = field_columns_table(&assertion->fields);
	if (known)
		assertion->filter =
			filter_part(assertion->table, text, inner, (size_t)(close - inner), "", err);
	free(filter);
	return known && assertion->filter;
}

/* Parses sum(WHAT, FILTER), and advances *inner to the filter. */
static bool assertion_parse_sum(struct assertion *assertion, const char **inner, const char *close,
                                struct err *err)
{
	const char *what = *inner;
	size_t length = field_columns_name_length(what);
	const char *rest = what + length;
	struct buf argument = {0};
	buf_addf(&argument, "sum(%.*s) of objects", (int)length, what);
	rest += strspn(rest, " ");
	bool filter = *rest == ',';
	if (*inner == rest || (!filter && rest != close)) {
		buf_free(&argument);
		return err_set(err, "sum() takes a field or column and, after a comma, a filter of "
		                    "objects: sum(len(.Items), type = main.Order)");
	}
	*inner = rest + filter + strspn(rest + filter, " ");
	if (*inner < close)
		buf_addf(&argument, " where %.*s", (int)(close - *inner), *inner);
	assertion->summed = argument.data;
	char *name = mem_strndup(what, length);
	int column = table_column(assertion->table, name);
	free(name);
	if (column >= 0 && assertion->table->columns[column].kind == VALUE_BYTES)
		assertion->kind = VALUE_BYTES;
	return true;
}

/* Returns true for what may be a variable or a step from it, and no condition: main.cache["k"]. A
   name without a . is a word that is searched for. */
static bool is_path(const char *text, size_t length)
{
	/* What a finding is about; no column of the table objects has such a name. */
	static const char *const about[] = {"at=", "object=", "group=", "rows=", "libraries"};
	char quote = 0;
	for (size_t i = 0; i < sizeof about / sizeof *about; i++)
		if (strncmp(text, about[i], strlen(about[i])) == 0)
			return true;
	for (size_t i = 0; i < length; i++) {
		if (text[i] == '[' && text[i + 1] == '"' && !quote)
			i = (size_t)(key_end(text + i + 1) - text);
		else if (quote)
			quote = text[i] == quote ? 0 : quote;
		else if (text[i] == '"')
			quote = text[i];
		else if (strchr(" =<>~!'(", text[i]))
			return false;
	}
	return length && *text != '"' && *text != '.' && memchr(text, '.', length);
}

static bool assertion_parse(struct assertion *assertion, const char *text, struct err *err)
{
	const char *open = strchr(text, '('), *close = open ? closing(open) : NULL;
	char *name = mem_strndup(text, open ? (size_t)(open - text) : 0);
	bool found = assertion_find_measure(assertion, name, err);
	free(name);
	if (!found)
		return false;
	field_columns_init(&assertion->fields, assertion->table);
	if (!close)
		return err_set(err, "The parenthesis after %.*s is not closed", (int)(open - text), text);
	const char *inner = open + 1 + strspn(open + 1, " ");
	size_t length = text_trimmed(inner, (size_t)(close - inner));
	if (assertion->measure->of_path || (assertion->measure->may_be_path && is_path(inner, length)))
		assertion->path = mem_strndup(inner, length);
	else if (strcmp(assertion->measure->name, "sum") == 0
	         && !assertion_parse_sum(assertion, &inner, close, err))
		return false;
	if (!assertion->path && inner < close
	    && !assertion_parse_filter(assertion, text, inner, close, err))
		return false;
	if (!close[1 + strspn(close + 1, " ")])
		return err_set(err, "An assertion ends with a comparison, such as < 100 MB");
	assertion->relation =
		filter_part(value_table(assertion), text, close + 1, strlen(close + 1), "value", err);
	return assertion->relation != NULL;
}

struct assertion *assertion_new(const char *text, struct err *err)
{
	struct assertion *assertion = mem_alloc(sizeof *assertion);
	assertion->text = mem_strdup(text);
	if (assertion_parse(assertion, text, err))
		return assertion;
	assertion_free(assertion);
	return NULL;
}

void assertion_free(struct assertion *assertion)
{
	if (!assertion)
		return;
	filter_free(assertion->filter);
	filter_free(assertion->relation);
	field_columns_fini(&assertion->fields);
	free(assertion->summed);
	free(assertion->path);
	free(assertion->place);
	buf_free(&assertion->absent);
	free(assertion->text);
	free(assertion);
}

unsigned assertion_needs(const struct assertion *assertion)
{
	unsigned filter = assertion->filter ? filter_needs(assertion->filter) : STAGE_NONE;
	unsigned sum = assertion->summed ? table_needs(table_find("grouped"), assertion->summed)
	                                 : STAGE_NONE;
	int type = table_column(assertion->table, "type");
	if (type >= 0 && assertion->filter && filter_asks_for(assertion->filter, type))
		filter |= STAGE_TYPED; /* a word without a column asks for it, too */
	if (assertion->path)
		filter |= STAGE_TYPED | STAGE_DOMINATED | argument_needs(assertion->path);
	return assertion->measure->needs | table_needs(assertion->table, NULL) | assertion->table->wants
	       | filter | sum;
}

/* Fails if the filter needs types that are unknown: without an executable, no row would match. */
static bool assertion_is_known(const struct rows *rows, const struct filter *filter,
                               struct err *err)
{
	const struct analysis *analysis = rows->analysis;
	int type = table_column(rows->table, "type");
	if (!filter || type < 0 || !filter_asks_for(filter, type) || analysis_typing(analysis)
	    || heap_has(analysis_heap(analysis), PART_TYPES))
		return true;
	return err_set(err, "The type of %s is not known without the executable of the program",
	               rows->table->name);
}

/* Fails if the result depends on the rows that may exist in addition (rows->unknown). */
static bool assertion_is_certain(const struct assertion *assertion, const struct rows *rows,
                                 struct err *err)
{
	enum { TRIED = 1 << 16 };
	struct assertion more = *assertion;
	SCOPED_BUF text = {0};
	bool certain = true, holds = assertion_holds(&more);
	for (uint64_t i = 1; certain && i <= assertion->unknown && i <= TRIED; i++) {
		more.value = assertion->value + i;
		certain = assertion_holds(&more) == holds;
	}
	if (certain && assertion->unknown > TRIED) {
		more.value = assertion->unknown > UINT64_MAX - assertion->value
		                 ? UINT64_MAX
		                 : assertion->value + assertion->unknown;
		certain = assertion_holds(&more) == holds;
	}
	if (certain)
		return true;
	text_add_number_of(&text, assertion->value, "row is", "rows are");
	size_t end = rows->note.len;
	while (end && rows->note.data[end - 1] == '.')
		end--;
	return err_set(err,
	               "Whether %.100s holds cannot be told: %s known, and there may be more. %.*s",
	               assertion->text, buf_text(&text), (int)end, buf_text(&rows->note));
}

/* Stores where to look: the path, or the largest of the objects that were counted, or the first
   row. */
static void assertion_find_place(struct assertion *assertion, const struct rows *rows)
{
	SCOPED_BUF place = {0};
	free(assertion->place);
	assertion->place = NULL;
	if (assertion->path)
		buf_add(&place, assertion->path);
	else if (assertion->matched && !assertion->summed && rows->table->entity
	         && assertion->largest < rows->count)
		entity_add_label(rows->analysis, rows->table->entity(rows, assertion->largest), &place);
	if (place.len && !assertion_holds(assertion))
		assertion->place = mem_strdup(buf_text(&place));
}

bool assertion_measure(struct assertion *assertion, const struct analysis *analysis,
                       struct err *err)
{
	struct rows *rows = rows_open_whole(assertion->table, analysis, NULL, err);
	assertion->matched = 0;
	assertion->value = 0;
	assertion->unknown = 0;
	assertion->negative = false;
	bool done = rows && assertion_is_known(rows, assertion->filter, err)
	            && field_columns_settle(&assertion->fields, rows, NULL, rows->count, err)
	            && assertion->measure->measure(assertion, rows, err)
	            && (assertion->matched || filter_has_columns(assertion->filter, rows, err))
	            && assertion_is_certain(assertion, rows, err);
	if (done) {
		assertion_find_place(assertion, rows);
		assertion_find_absent(assertion, rows);
	}
	rows_close(rows);
	return done;
}

bool assertion_holds(struct assertion *assertion)
{
	struct rows rows = {.table = value_table(assertion), .count = 1, .data = assertion};
	return filter_matches(assertion->relation, &rows, 0);
}

/* A relation that holds for 0 but not for 1, such as = 0 and < 1, expects no match. */
bool assertion_is_empty(struct assertion *assertion)
{
	struct assertion one = *assertion;
	one.value = 1;
	return assertion->filter && !assertion->matched && assertion_holds(assertion)
	       && assertion_holds(&one);
}

const char *assertion_text(const struct assertion *assertion)
{
	return assertion->text;
}
