#include "table/assertion.h"

#include "analysis/what_if.h"
#include "base/mem.h"
#include "table/cell.h"
#include "table/field_columns.h"
#include "table/filter/path_growth.h"

#include <stdlib.h>
#include <string.h>

struct assertion;
static bool count_rows(struct assertion *assertion, const struct rows *rows, struct err *err);
static bool assertion_add_bytes(struct assertion *assertion, const struct rows *rows,
                                struct err *err);
static bool count_retained(struct assertion *assertion, const struct rows *rows, struct err *err);
static bool assertion_take_sum(struct assertion *assertion, const struct rows *rows,
                               struct err *err);
static bool assertion_grow(struct assertion *assertion, const struct rows *rows, struct err *err);

/* What can be measured of objects; of every table its rows can be counted. Each fills `matched` and
   `value`. */
static const struct measure {
	const char *name;
	enum value_kind kind;
	unsigned needs; /* stages */
	bool (*measure)(struct assertion *assertion, const struct rows *rows, struct err *err);
	bool of_path; /* between the parentheses is a path, no filter */
} measures[] =
	{
		{"retained", VALUE_BYTES, STAGE_REACHED, count_retained, false},
		{"bytes", VALUE_BYTES, STAGE_READ, assertion_add_bytes, false},
		{"sum", VALUE_COUNT, STAGE_READ, assertion_take_sum, false},
		{"growth", VALUE_BYTES, STAGE_TYPED | STAGE_DOMINATED, assertion_grow, true},
},
  summing_bytes = {"sum", VALUE_BYTES, STAGE_READ, assertion_take_sum, false},
  counting = {"", VALUE_COUNT, STAGE_READ, count_rows, false};

struct assertion {
	char *text;
	const struct measure *measure;
	const struct table *table;
	struct field_columns fields; /* of its rows, that the filter compares */
	char *summed;            /* what is added up, as the table grouped takes it; NULL: nothing */
	char *path;              /* of growth(main.cache); "": all that is reachable */
	struct filter *filter;   /* NULL: all rows */
	struct filter *relation; /* over a table of the one value */
	size_t matched;          /* rows that are like the filter */
	uint64_t value;
	bool negative;
};

static void value_cell(const struct rows *rows, size_t row, struct value *value)
{
	(void)row;
	const struct assertion *assertion = rows->data;
	cell_number(value, assertion->measure->kind, assertion->value);
	value->negative = assertion->negative;
}

static const struct column value_columns[3][1] = {
	{{"value", "value", "What was measured", VALUE_COUNT, 0, 0, .cell = value_cell}},
	{{"value", "value", "What was measured", VALUE_BYTES, 0, 0, .cell = value_cell}},
	/* A sum: less than nothing, too, and in any unit. */
	{{"value", "value", "What was measured", VALUE_NONE, 0, 0, .cell = value_cell}},
};

/* One row, one cell: what was measured. A relation is a filter over it. */
static const struct table value_tables[3] = {
	{.name = "value", .columns = value_columns[0], .column_count = 1},
	{.name = "value", .columns = value_columns[1], .column_count = 1},
	{.name = "value", .columns = value_columns[2], .column_count = 1},
};

static const struct table *value_table(const struct assertion *assertion)
{
	bool bytes = assertion->measure->kind == VALUE_BYTES;
	return &value_tables[bytes ? 1 : assertion->summed ? 2 : 0];
}

/* Is the row one that is measured? */
static bool assertion_takes(struct assertion *assertion, const struct rows *rows, size_t row)
{
	bool taken = !assertion->filter || filter_matches(assertion->filter, rows, row);
	assertion->matched += taken;
	return taken;
}

static bool count_rows(struct assertion *assertion, const struct rows *rows, struct err *err)
{
	(void)err;
	for (size_t row = 0; row < rows->count; row++)
		assertion->value += assertion_takes(assertion, rows, row);
	return true;
}

static bool assertion_add_bytes(struct assertion *assertion, const struct rows *rows,
                                struct err *err)
{
	(void)err;
	for (size_t row = 0; row < rows->count; row++)
		if (assertion_takes(assertion, rows, row))
			assertion->value += heap_size(analysis_heap(rows->analysis), rows_id(rows, row));
	return true;
}

static bool count_retained(struct assertion *assertion, const struct rows *rows, struct err *err)
{
	struct freed freed;
	if (!reach_must_be_known(rows->analysis, err))
		return false;
	struct what_if *what_if = what_if_new(analysis_reach(rows->analysis));
	for (size_t row = 0; row < rows->count; row++)
		if (assertion_takes(assertion, rows, row))
			what_if_object(what_if, rows_id(rows, row));
	what_if_count(what_if, NULL, &freed);
	what_if_free(what_if);
	assertion->value = freed.bytes;
	return true;
}

static uint64_t assertion_whole(double real)
{
	double size = real < 0 ? -real : real;
	return size < 0x1p63 ? (uint64_t)(size + 0.5) : UINT64_MAX;
}

/* One group of all the rows. */
static bool assertion_take_sum(struct assertion *assertion, const struct rows *rows,
                               struct err *err)
{
	const struct table *table = table_find("grouped");
	struct rows *groups = rows_open(table, rows->analysis, assertion->summed, err);
	if (!groups)
		return false;
	const struct table *made = groups->table;
	if (groups->count) {
		struct value sum = rows_number(groups, 0, made->columns[made->column_count - 1].name);
		assertion->matched = (size_t)rows_number(groups, 0, "count").number;
		assertion->negative = sum.kind == VALUE_REAL ? sum.real < 0 : sum.negative;
		assertion->value = sum.kind == VALUE_REAL ? assertion_whole(sum.real) : sum.number;
	}
	rows_close(groups);
	return true;
}

static bool assertion_grow(struct assertion *assertion, const struct rows *rows, struct err *err)
{
	assertion->matched = 1;
	return path_growth(rows->analysis, assertion->path, &assertion->value, &assertion->negative,
	                   err);
}

static bool find_measure(struct assertion *assertion, const char *name, struct err *err)
{
	assertion->measure = &counting;
	assertion->table = table_find(name);
	for (size_t i = 0; i < sizeof measures / sizeof *measures; i++)
		if (strcmp(measures[i].name, name) == 0) {
			assertion->measure = &measures[i];
			assertion->table = table_find("objects");
		}
	if (!assertion->table || (assertion->table->argument && *assertion->table->argument != '['))
		return err_set(err,
		               "An assertion begins with retained(, bytes(, growth( or the name of a table "
		               "that needs no argument, such as goroutines(");
	return true;
}

/* The parenthesis that closes the one at *open, quotes left alone; NULL: none. */
static const char *closing(const char *open)
{
	int depth = 0;
	char quote = 0;
	for (const char *at = open; *at; at++) {
		if (quote)
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

/* A filter out of a part of the text, which stays at its column: messages tell of columns. `before`
   is written in front of it. */
static struct filter *filter_part(const struct table *table, const char *text, const char *start,
                                  size_t length, const char *before, struct err *err)
{
	struct buf line = {0};
	size_t column = (size_t)(start - text) - strlen(before);
	while (line.len < column)
		buf_add(&line, " ");
	buf_add(&line, before);
	buf_add_bytes(&line, start, length);
	struct filter *filter = filter_new(table, buf_text(&line), err);
	buf_free(&line);
	return filter;
}

static bool assertion_parse_filter(struct assertion *assertion, const char *text, const char *inner,
                                   const char *close, struct err *err)
{
	struct buf filter = {0};
	buf_add_bytes(&filter, inner, (size_t)(close - inner));
	bool known = field_columns_add_filter(&assertion->fields, buf_text(&filter), err);
	assertion->table = field_columns_table(&assertion->fields);
	if (known)
		assertion->filter =
			filter_part(assertion->table, text, inner, (size_t)(close - inner), "", err);
	buf_free(&filter);
	return known && assertion->filter;
}

/* sum(WHAT, FILTER): *inner goes on to the filter. */
static bool assertion_parse_sum(struct assertion *assertion, const char **inner, const char *close,
                                struct err *err)
{
	size_t length = field_columns_length(*inner);
	const char *what = *inner;
	const char *end = what + (length ? length : strspn(what, "abcdefghijklmnopqrstuvwxyz_"));
	const char *rest = end;
	struct buf argument = {0};
	buf_addf(&argument, "sum(%.*s) of objects", (int)(end - what), what);
	rest += strspn(rest, " ");
	bool filter = *rest == ',';
	if (*inner == rest || (!filter && rest != close)) {
		buf_free(&argument);
		return err_set(err, "A sum is of a field or column, and of the objects that are like a "
		                    "filter behind a comma: sum(len(.Items), type = main.Order)");
	}
	*inner = rest + filter + strspn(rest + filter, " ");
	if (*inner < close)
		buf_addf(&argument, " where %.*s", (int)(close - *inner), *inner);
	assertion->summed = argument.data;
	struct buf name = {0};
	buf_add_bytes(&name, what, (size_t)(end - what));
	int column = table_column(assertion->table, buf_text(&name));
	buf_free(&name);
	if (column >= 0 && assertion->table->columns[column].kind == VALUE_BYTES)
		assertion->measure = &summing_bytes;
	return true;
}

static char *assertion_trimmed(const char *start, const char *end)
{
	struct buf text = {0};
	while (end > start && end[-1] == ' ')
		end--;
	buf_add_bytes(&text, start, (size_t)(end - start));
	char *trimmed = mem_strdup(buf_text(&text));
	buf_free(&text);
	return trimmed;
}

static bool assertion_parse(struct assertion *assertion, const char *text, struct err *err)
{
	const char *open = strchr(text, '('), *close = open ? closing(open) : NULL;
	struct buf name = {0};
	buf_add_bytes(&name, text, open ? (size_t)(open - text) : 0);
	bool found = find_measure(assertion, buf_text(&name), err);
	buf_free(&name);
	if (!found)
		return false;
	field_columns_init(&assertion->fields, assertion->table);
	if (!close)
		return err_set(err, "The parenthesis after %.*s is not closed", (int)(open - text), text);
	const char *inner = open + 1 + strspn(open + 1, " ");
	if (assertion->measure->of_path)
		assertion->path = assertion_trimmed(inner, close);
	else if (strcmp(assertion->measure->name, "sum") == 0
	         && !assertion_parse_sum(assertion, &inner, close, err))
		return false;
	if (!assertion->path && inner < close
	    && !assertion_parse_filter(assertion, text, inner, close, err))
		return false;
	if (!close[1 + strspn(close + 1, " ")])
		return err_set(err, "An assertion ends with what must hold, such as < 100 MB");
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
	free(assertion->text);
	free(assertion);
}

unsigned assertion_needs(const struct assertion *assertion)
{
	unsigned filter = assertion->filter ? filter_needs(assertion->filter) : STAGE_NONE;
	unsigned sum = assertion->summed ? table_needs(table_find("grouped"), assertion->summed)
	                                 : STAGE_NONE;
	return assertion->measure->needs | assertion->table->needs | filter | sum;
}

/* A dominator must not open because nothing is known: without an executable there are labels at
 * most. */
static bool assertion_is_known(const struct rows *rows, const struct filter *filter,
                               struct err *err)
{
	const struct analysis *analysis = rows->analysis;
	int type = table_column(rows->table, "type");
	if (!filter || type < 0 || !filter_asks_for(filter, type) || analysis_typing(analysis)
	    || heap_has(analysis_heap(analysis), HAS_TYPES))
		return true;
	return err_set(err, "Of %s, type is not known without the executable of the program",
	               rows->table->name);
}

bool assertion_measure(struct assertion *assertion, const struct analysis *analysis,
                       struct err *err)
{
	struct rows *rows = rows_open(assertion->table, analysis, NULL, err);
	assertion->matched = 0;
	assertion->value = 0;
	assertion->negative = false;
	bool done = rows && assertion_is_known(rows, assertion->filter, err)
	            && field_columns_settle(&assertion->fields, rows, NULL, rows->count, err)
	            && assertion->measure->measure(assertion, rows, err);
	rows_close(rows);
	return done;
}

bool assertion_holds(struct assertion *assertion)
{
	struct rows rows = {.table = value_table(assertion), .count = 1, .data = assertion};
	return filter_matches(assertion->relation, &rows, 0);
}

/* What holds of nothing and not of one byte or row, as = 0 and < 1, means that there is nothing. */
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

static struct assertion *assertion_of(const struct rows *rows, size_t row)
{
	return ((struct assertion *const *)rows->data)[row];
}

static const void *assertion_record(const struct rows *rows, size_t row)
{
	return assertion_of(rows, row);
}

static void measured_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct assertion *assertion = assertion_of(rows, row);
	cell_number(value, assertion->measure->kind, assertion->value);
	value->negative = assertion->negative;
}

static void holds_cell(const struct rows *rows, size_t row, struct value *value)
{
	cell_number(value, VALUE_BOOL, assertion_holds(assertion_of(rows, row)));
}

static const struct column columns[] = {
	{"assertion", "assertion", "What must hold", VALUE_TEXT, 0, 0, FIELD(struct assertion, text)},
	{"matched", "matched", "Rows or objects that were measured", VALUE_COUNT, 9, 1,
     FIELD(struct assertion, matched)},
	{"value", "value", "What was measured", VALUE_COUNT, 12, 0, .cell = measured_cell},
	{"holds", "holds", "Does it hold?", VALUE_BOOL, 5, 0, .cell = holds_cell},
};

static const struct table assertions = {
	.name = "assertions",
	.columns = columns,
	.column_count = sizeof columns / sizeof *columns,
	.record = assertion_record,
};

struct rows *assertions_rows(struct assertion *const *list, size_t count)
{
	struct rows *rows = mem_alloc(sizeof *rows);
	struct assertion **copy = rows->data = mem_alloc((count + 1) * sizeof *copy);
	for (size_t i = 0; i < count; i++)
		copy[i] = list[i];
	rows->table = &assertions;
	rows->count = count;
	return rows;
}
