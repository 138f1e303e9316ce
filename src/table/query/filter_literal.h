/* The values in a filter. Private to src/table/query. */
#pragma once

#include "base/err.h"
#include "table/query/filter_lex.h"
#include "table/value.h"

#include <regex.h>

enum literal_kind {
	LITERAL_NONE,
	LITERAL_TEXT,
	LITERAL_PATTERN,
	LITERAL_NUMBER,
	LITERAL_SHARE,
	LITERAL_ANY
};

struct literal {
	enum literal_kind kind;
	char *text;   /* owned */
	bool special; /* the pattern is not just a substring: it is in `regex` */
	regex_t regex;
	uint64_t number; /* rounded down */
	bool more;       /* the exact value is larger */
	/* For LITERAL_ANY, the literal of columns with values of any kind: it is a text, and possibly
	   these. */
	bool is_number, is_bool, negative;
	uint64_t truth;
	double percent;
};

/* Parses `text` as a value of a column of that kind; unquoted, it may be none. False: *err says
   what was expected, without the place. */
bool literal_parse(struct literal *literal, enum value_kind kind, const char *text, bool quoted,
                   struct err *err);
bool literal_parse_pattern(struct literal *literal, const char *text, struct err *err);
void literal_fini(struct literal *literal);

/* Returns true if the word can be the unit of a number in such a column: "MB", "ms", "%". */
bool literal_is_unit(enum value_kind kind, const char *word);

/* Compares a value with a literal of its column; *order is below 0, 0, above 0. False: they are not
   comparable. `cell` is a buffer for the value as text. */
bool literal_compare(const struct literal *literal, const struct value *value, struct buf *cell,
                     int *order);
bool literal_matches(const struct literal *literal, const char *text);
bool literal_is_none(const struct value *value);
