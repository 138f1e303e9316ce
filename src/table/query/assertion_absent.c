/* Names in the filter of an assertion that are in no dump: part of table/query/assertion.h. */
#include "analysis/analysis.h"
#include "analysis/series.h"
#include "base/text.h"
#include "go/exe/gotype.h"
#include "go/exe/gotypes.h"
#include "go/types/typing.h"
#include "table/naming/nearest.h"
#include "table/naming/typed.h"
#include "table/query/assertion_parts.h"
#include "table/query/filter_parse.h"

#include <string.h>

enum { NAME_SHOWN = 100 };

/* Columns whose texts are names of the program. Words of goheapx, such as states and kinds, are
   none: that no row has one is an answer. */
static bool is_column_of_names(const char *column)
{
	static const char *const names[] = {"type",          "package",     "owner",      "name",
	                                    "function",      "site",        "creator",    "created_by",
	                                    "expression",    "used_by",     "file",       "pc_function",
	                                    "argument_type", "object_type", "value_type", NULL};
	size_t i = 0;
	while (names[i] && strcmp(names[i], column) != 0)
		i++;
	return names[i];
}

static bool test_has_name(const struct test *test, const struct table *table)
{
	if (test->column == ANY_COLUMN)
		return true;
	const struct column *column = &table->columns[test->column];
	bool text = test->literal.kind == LITERAL_TEXT || test->literal.kind == LITERAL_PATTERN;
	bool compared = test->relation == EQUAL || test->relation == DIFFERENT
	                || test->relation >= MATCHES;
	return text && compared && column->kind == VALUE_TEXT && !column->is_field
	       && is_column_of_names(column->name);
}

/* Returns true if a row has the name. */
static bool rows_have_name(const struct rows *rows, const struct test *test)
{
	struct test positive = {.column = test->column,
	                        .relation = test->relation >= MATCHES ? MATCHES : EQUAL,
	                        .literal = test->literal};
	struct step step = {.kind = STEP_TEST};
	struct filter filter = {
		.table = rows->table, .tests = &positive, .steps = &step, .test_count = 1, .step_count = 1};
	bool found = false;
	row_search_begin(&positive.search, positive.column == ANY_COLUMN ? test->literal.text : NULL);
	for (size_t row = 0; !found && row < rows->count; row++)
		found = filter_matches(&filter, rows, row);
	codes_fini(&positive.codes);
	row_search_fini(&positive.search);
	buf_free(&filter.cell);
	return found;
}

static bool name_is(const struct test *test, const char *name)
{
	if (test->column == ANY_COLUMN)
		return strcasestr(name, test->literal.text) != NULL;
	return test->literal.kind == LITERAL_PATTERN ? literal_matches(&test->literal, name)
	                                             : strcmp(name, test->literal.text) == 0;
}

/* Returns true if the program has a type with the name, or one in a package with it. A type without
   objects is no mistake. `nearest` sees the names of types. */
static bool program_has_name(const struct analysis *analysis, const struct test *test,
                             const char *column, struct nearest *nearest)
{
	const struct typing *typing = analysis_typing(analysis);
	const struct gotypes *types = typing ? typing_types(typing) : NULL;
	bool package = column && strcmp(column, "package") == 0;
	bool found = false;
	SCOPED_BUF name = {0}, of = {0};
	if (!types || (column && !package && strcmp(column, "type") != 0))
		return false;
	for (gotype_id id = 1; !found && id <= gotypes_count(types); id++) {
		buf_clear(&name);
		buf_clear(&of);
		gotype_display(types, id, &name);
		typed_add_code_package(analysis, typed_code_of(id), &of);
		found = name_is(test, buf_text(package ? &of : &name));
		if (!package && column && test->literal.kind == LITERAL_TEXT)
			nearest_see(nearest, buf_text(&name));
	}
	return found
	       || (!package && test->literal.kind == LITERAL_TEXT && column
	           && typed_named(analysis, test->literal.text));
}

static bool dump_has_name(const struct analysis *analysis, const struct table *table,
                          const struct test *test)
{
	struct err err = {0};
	struct rows *rows = rows_open_whole(table, analysis, NULL, &err);
	bool found = rows && rows_have_name(rows, test);
	rows_close(rows);
	return found;
}

/* Returns true if an earlier dump has the name: its absence in one of a series is a count of 0. */
static bool series_has_name(const struct analysis *analysis, const struct table *table,
                            const struct test *test, const char *column, struct nearest *nearest)
{
	const struct series *series = analysis_series(analysis);
	bool found = false;
	for (size_t i = 0; series && test->column < table->column_count && !found && i < series->count;
	     i++)
		found = program_has_name(series_older(analysis, i), test, column, nearest)
		        || dump_has_name(series_older(analysis, i), table, test);
	return found;
}

static void assertion_add_absent(struct assertion *assertion, const struct table *table,
                                 const struct test *test, struct nearest *nearest, bool series)
{
	const char *column = test->column == ANY_COLUMN ? NULL : table->columns[test->column].name;
	SCOPED_BUF name = {0}, out = {0};
	text_add_escaped(&name, test->literal.text, strlen(test->literal.text), NAME_SHOWN);
	buf_addf(&out, "In %.150s, the name \"%s\" is not in the dump%s: no row of %s has it",
	         assertion->text, buf_text(&name), series ? " or an earlier one" : "",
	         assertion->table->name);
	if (column)
		buf_addf(&out, " as %s", column);
	if (!column || strcmp(column, "type") == 0 || strcmp(column, "package") == 0)
		buf_addf(&out, ", and the program has no such %s", column ? column : "type");
	nearest_add_meant(nearest, "", &out);
	buf_addf(&assertion->absent, "%s\n", buf_text(&out));
}

void assertion_find_absent(struct assertion *assertion, const struct rows *rows)
{
	const struct filter *filter = assertion->filter;
	const struct table *table = table_find(assertion->table->name);
	const struct analysis *analysis = rows->analysis;
	buf_clear(&assertion->absent);
	for (size_t i = 0; filter && i < filter->test_count; i++) {
		const struct test *test = &filter->tests[i];
		if (!test_has_name(test, rows->table))
			continue;
		const char *column = test->column == ANY_COLUMN ? NULL
		                                                : rows->table->columns[test->column].name;
		struct nearest nearest = {.wanted = test->literal.text};
		if (!rows_have_name(rows, test) && !program_has_name(analysis, test, column, &nearest)
		    && !series_has_name(analysis, table, test, column, &nearest))
			assertion_add_absent(assertion, rows->table, test, &nearest, analysis_series(analysis));
	}
}

const char *assertion_absent(const struct assertion *assertion)
{
	return buf_text(&assertion->absent);
}
