/* An assertion and its measures. Private to src/table/query. */
#pragma once

#include "table/contents/field_columns.h"
#include "table/query/assertion.h"

struct measure {
	const char *name;
	enum value_kind kind;
	unsigned needs; /* stages */
	/* Sets `matched` and `value`. False: *err. */
	bool (*measure)(struct assertion *assertion, const struct rows *rows, struct err *err);
	bool may_be_path;  /* a path may be there in place of a filter */
	bool of_path;      /* a path or a table is between the parentheses, no filter */
	const char *table; /* whose rows the filter selects; NULL: objects */
};

struct assertion {
	char *text;
	const struct measure *measure;
	enum value_kind kind; /* of the value: the measure's, or that of the summed column */
	const struct table *table;
	struct field_columns fields; /* fields of the row's objects that the filter compares */
	char *summed;                /* the sum, as an argument of the table grouped; NULL: none */
	char *path;                  /* for growth(main.cache), wasted(slack); "": all */
	struct filter *filter;       /* NULL: all rows */
	struct filter *relation;     /* over a table with one value */
	size_t matched;              /* number of rows that match the filter */
	size_t largest;              /* of them the row of the largest object, or the first */
	struct buf absent;           /* assertion_absent */
	char *place;                 /* where to look if it is false; NULL: nowhere */
	uint64_t value;
	uint64_t unknown; /* the value may be larger by this number: see struct rows */
	bool negative;
};

/* Returns the measure with a name; NULL: there is none. */
const struct measure *measure_find(const char *name);
/* Counts the rows of any table. */
extern const struct measure measure_rows;

/* assertion_absent.c: stores the text of assertion_absent. */
void assertion_find_absent(struct assertion *assertion, const struct rows *rows);
/* Stores the measured value as a cell. */
void assertion_value(const struct assertion *assertion, struct value *value);
