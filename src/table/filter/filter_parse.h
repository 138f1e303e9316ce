/* What a filter is compiled to. Private to src/table/filter*.c. */
#ifndef TABLE_FILTER_PARSE_H
#define TABLE_FILTER_PARSE_H

#include "base/map.h"
#include "table/filter.h"
#include "table/filter/filter_literal.h"

enum { ANY_COLUMN = -1 };

/* One comparison. */
struct test {
	int column; /* or ANY_COLUMN: any cell contains the text */
	enum relation relation;
	struct literal literal;
	struct map told;          /* what it has said of a cell, by the cell's key */
	struct row_search search; /* of any column */
};

/* A step changes whether the row matches so far; those after an operand that has decided are
   skipped: "a and b" is TEST a, UNLESS 3, TEST b. */
enum step_kind { STEP_TEST, STEP_NOT, STEP_UNLESS, STEP_IF };
struct step {
	enum step_kind kind;
	size_t to; /* TEST: of filter->tests; UNLESS it matches, IF it does: the step to go on with */
};

struct filter {
	const struct table *table;
	struct test *tests;
	struct step *steps;
	size_t test_count, test_capacity, step_count, step_capacity;
	struct buf cell;
};

/* Fills a filter that has its table only. */
bool filter_parse(struct filter *filter, const char *text, struct err *err);

#endif
