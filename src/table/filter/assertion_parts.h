/* What an assertion is, and what it measures. Private to src/table/filter. */
#ifndef TABLE_FILTER_ASSERTION_PARTS_H
#define TABLE_FILTER_ASSERTION_PARTS_H

#include "table/assertion.h"
#include "table/field_columns.h"

struct measure {
	const char *name;
	enum value_kind kind;
	unsigned needs; /* stages */
	/* Fills `matched` and `value`. */
	bool (*measure)(struct assertion *assertion, const struct rows *rows, struct err *err);
	bool of_path; /* between the parentheses is a path or a table, no filter */
};

struct assertion {
	char *text;
	const struct measure *measure;
	enum value_kind kind; /* of the value: the measure's, or that of the column that is summed */
	const struct table *table;
	struct field_columns fields; /* of its rows, that the filter compares */
	char *summed;            /* what is added up, as the table grouped takes it; NULL: nothing */
	char *path;              /* of growth(main.cache), wasted(slack); "": of all */
	struct filter *filter;   /* NULL: all rows */
	struct filter *relation; /* over a table of the one value */
	size_t matched;          /* rows that are like the filter */
	uint64_t value;
	uint64_t unknown; /* the value may be larger by that: see struct rows */
	bool negative;
};

/* Of objects, by its name; NULL: there is none such. */
const struct measure *measure_find(const char *name);
/* Of every table: how many rows. */
extern const struct measure measure_rows;

/* What was measured, as a cell. */
void assertion_value(const struct assertion *assertion, struct value *value);

#endif
