/* Assertions as a table: part of table/query/assertion.h. */
#include "base/mem.h"
#include "table/cell.h"
#include "table/query/assertion_parts.h"

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
	assertion_value(assertion_of(rows, row), value);
}

static void holds_cell(const struct rows *rows, size_t row, struct value *value)
{
	cell_number(value, VALUE_BOOL, assertion_holds(assertion_of(rows, row)));
}

static const struct column columns[] = {
	{"assertion", "assertion", "The assertion", VALUE_TEXT, 0, 0, FIELD(struct assertion, text)},
	{"matched", "matched", "Number of rows or objects that were measured", VALUE_COUNT, 9, 1,
     FIELD(struct assertion, matched)},
	{"value", "value", "The measured value", VALUE_COUNT, 12, 0, .cell = measured_cell},
	{"holds", "holds", "Is it true?", VALUE_BOOL, 5, 0, .cell = holds_cell},
	{"place", "place",
     "Where to look if it is false: the path, the largest object, or the first row", VALUE_TEXT, 0,
     0, FIELD(struct assertion, place)},
};

static const struct table assertions = {
	.name = "assertions",
	COLUMNS(columns),
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
