/* Evaluates filters: table/query/filter.h. */
#include "table/query/filter.h"

#include "analysis/analysis.h"
#include "base/mem.h"
#include "heap/heap.h"
#include "table/query/filter_parse.h"

#include <stdlib.h>
#include <string.h>

enum { POLL_EVERY = 4096 }; /* rows between two checks for cancellation */

struct filter *filter_new(const struct table *table, const char *text, struct err *err)
{
	struct filter *filter = mem_alloc(sizeof *filter);
	filter->table = table;
	if (filter_parse(filter, text, err))
		return filter;
	filter_free(filter);
	return NULL;
}

void filter_free(struct filter *filter)
{
	if (!filter)
		return;
	for (size_t i = 0; i < filter->test_count; i++) {
		literal_fini(&filter->tests[i].literal);
		codes_fini(&filter->tests[i].codes);
		row_search_fini(&filter->tests[i].search);
	}
	free(filter->tests);
	free(filter->steps);
	buf_free(&filter->cell);
	free(filter);
}

bool filter_asks_for(const struct filter *filter, int column)
{
	for (size_t i = 0; i < filter->test_count; i++)
		if (filter->tests[i].column == column || filter->tests[i].column == ANY_COLUMN)
			return true;
	return false;
}

static bool filter_is_empty(const struct rows *rows, int column)
{
	SCOPED_BUF text = {0};
	bool empty = true;
	for (size_t row = 0; empty && row < rows->count; row++) {
		struct value value = {.text = &text};
		rows_cell(rows, row, column, &value);
		empty = literal_is_none(&value);
		buf_clear(&text);
	}
	return empty;
}

bool filter_has_columns(const struct filter *filter, const struct rows *rows, struct err *err)
{
	const struct column *columns = rows->table->columns;
	bool has = true;
	for (size_t i = 0; filter && rows->count && has && i < filter->test_count; i++) {
		int column = filter->tests[i].column;
		if (column == ANY_COLUMN || columns[column].on_request || !rows_column_hidden(rows, column)
		    || !filter_is_empty(rows, column))
			continue; /* a screen also hides what is the same in all rows */
		has = err_set(err, "These rows have no column %s", columns[column].name);
		if (err)
			err->absent = true;
	}
	return has;
}

const char *filter_empty_column(const struct filter *filter, const struct rows *rows)
{
	for (size_t i = 0; i < filter->test_count; i++) {
		int column = filter->tests[i].column;
		if (column != ANY_COLUMN && filter_is_empty(rows, column))
			return rows->table->columns[column].name;
	}
	return NULL;
}

void filter_add_redaction(const struct filter *filter, const struct rows *rows, struct buf *out)
{
	static const char *const contents[] = {"text", "key", "value"};
	bool reads = false;
	for (size_t i = 0; i < filter->test_count && !reads; i++) {
		int at = filter->tests[i].column;
		const struct column *column = at == ANY_COLUMN ? NULL : &filter->table->columns[at];
		reads = !column || column->is_field;
		for (size_t k = 0; k < sizeof contents / sizeof *contents && !reads; k++)
			reads = strcmp(column->name, contents[k]) == 0;
	}
	if (reads && analysis_heap(rows->analysis)->params.redacted)
		buf_addf(out, "%sThe file is redacted: what was in its objects cannot be told.",
		         out->len ? " " : "");
}

unsigned filter_needs(const struct filter *filter)
{
	unsigned needs = STAGE_NONE;
	for (size_t i = 0; i < filter->test_count; i++)
		if (filter->tests[i].column != ANY_COLUMN)
			needs |= filter->table->columns[filter->tests[i].column].stages;
	return needs;
}

static bool holds(enum relation relation, int order)
{
	const bool holds[] = {
		[EQUAL] = order == 0,
		[DIFFERENT] = order != 0,
		[LESS] = order<0, [MORE] = order> 0,
		[LESS_OR_EQUAL] = order <= 0,
		[MORE_OR_EQUAL] = order >= 0,
	};
	return holds[relation];
}

/* Returns true for an empty cell. A column may also have "none" as a text, such as type_known. */
static bool is_none(const struct value *value)
{
	return literal_is_none(value)
	       || (value->kind == VALUE_TEXT && strcmp(buf_text(value->text), "none") == 0);
}

static bool passes(const struct test *test, struct value *value)
{
	bool negative = test->relation == DIFFERENT || test->relation == MATCHES_NOT;
	int order;
	if (test->literal.kind == LITERAL_NONE)
		return is_none(value) != negative;
	if (literal_is_none(value))
		return negative;
	if (test->relation < MATCHES)
		return literal_compare(&test->literal, value, value->text, &order)
		           ? holds(test->relation, order)
		           : negative;
	if (value->kind != VALUE_TEXT)
		value_add(value, value->text);
	return literal_matches(&test->literal, buf_text(value->text)) != negative;
}

/* Returns the place of 1 + the result for all rows with the cell of this row; NULL: none. */
static uint8_t *known_result(struct test *test, const struct rows *rows, size_t row)
{
	if (!column_is_coded(&rows->table->columns[test->column]))
		return NULL;
	if (test->codes.rows != rows) {
		codes_fini(&test->codes);
		test->codes = (struct codes){
			.rows = rows, .column = test->column, .coded_only = true, .marked = true};
	}
	uint32_t code = codes_at(&test->codes, row);
	return code == CODE_NONE ? NULL : codes_note(&test->codes, code);
}

static bool run_test(struct filter *filter, struct test *test, const struct rows *rows, size_t row)
{
	if (test->column == ANY_COLUMN)
		return row_search_matches(&test->search, rows, row);
	uint8_t *known = known_result(test, rows, row);
	if (known && *known)
		return *known - 1;
	struct value value = {.text = &filter->cell};
	buf_clear(&filter->cell);
	rows_cell(rows, row, test->column, &value);
	bool is_so = passes(test, &value);
	if (known)
		*known = 1 + is_so;
	return is_so;
}

bool filter_matches(struct filter *filter, const struct rows *rows, size_t row)
{
	bool matches = false;
	for (size_t at = 0; at < filter->step_count;) {
		const struct step *step = &filter->steps[at++];
		if (step->kind == STEP_TEST)
			matches = run_test(filter, &filter->tests[step->to], rows, row);
		else if (step->kind == STEP_NOT)
			matches = !matches;
		else if (matches == (step->kind == STEP_IF))
			at = step->to;
	}
	return matches;
}

uint32_t *rows_filtered(const struct rows *rows, struct filter *filter, size_t limit, size_t *count,
                        struct progress *progress)
{
	size_t capacity = 0;
	uint32_t *row = mem_grow(NULL, 0, &capacity, sizeof *row);
	*count = 0;
	progress_begin(progress, "filtering", rows->count);
	for (size_t i = 0; i < rows->count && *count < limit; i++) {
		if (i % POLL_EVERY == 0 && !progress_step(progress, i)) {
			free(row);
			return NULL;
		}
		if (!filter_matches(filter, rows, i))
			continue;
		MEM_PUSH(row, *count, capacity, (uint32_t)i);
	}
	return row;
}
