/* The compiled form of a filter. Private to src/table/query. */
#pragma once

#include "table/codes.h"
#include "table/query/filter.h"
#include "table/query/filter_literal.h"

enum { ANY_COLUMN = -1 };

/* One comparison. */
struct test {
	int column; /* or ANY_COLUMN: any cell contains the text */
	enum relation relation;
	struct literal literal;
	struct codes codes;       /* of the column; a note is 1 + the result */
	struct row_search search; /* for ANY_COLUMN */
};

/* A step changes whether the row matches so far. After an operand that decides, the steps of the
   other are skipped: "a and b" is TEST a, UNLESS 3, TEST b. */
enum step_kind { STEP_TEST, STEP_NOT, STEP_UNLESS, STEP_IF };
struct step {
	enum step_kind kind;
	size_t to; /* TEST: index in filter->tests; UNLESS it matches, IF it does: the next step */
};

struct filter {
	const struct table *table;
	struct test *tests;
	struct step *steps;
	size_t test_count, test_capacity, step_count, step_capacity;
	struct buf cell;
};

/* Compiles the text. The filter has only its table before. False: *err. */
bool filter_parse(struct filter *filter, const char *text, struct err *err);
