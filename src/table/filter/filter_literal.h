/* The values that a filter compares with. Private to src/table/filter*.c. */
#ifndef TABLE_FILTER_LITERAL_H
#define TABLE_FILTER_LITERAL_H

#include "base/err.h"
#include "table/filter/filter_lex.h"
#include "table/table.h"

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
	bool special; /* a pattern that is more than a part of the text: */
	regex_t regex;
	uint64_t number; /* rounded down; */
	bool more;       /* and there was something to round */
	/* LITERAL_ANY, for columns whose values may be of any kind: it is a text, and may be these. */
	bool is_number, is_bool, negative;
	uint64_t truth;
	double percent;
};

/* What `text` is for a column of that kind; unquoted, it may be none. False: *err is what was
   expected, without the place. */
bool literal_parse(struct literal *literal, enum value_kind kind, const char *text, bool quoted,
                   struct err *err);
bool literal_parse_pattern(struct literal *literal, const char *text, struct err *err);
void literal_fini(struct literal *literal);

/* May a word like this follow a number for such a column: "MB", "ms", "%"? */
bool literal_is_unit(enum value_kind kind, const char *word);

/* A value against a literal of its column: below 0, 0, above 0. False: they cannot be compared.
   `cell` holds the value as text if that is needed. */
bool literal_compare(const struct literal *literal, const struct value *value, struct buf *cell,
                     int *order);
bool literal_matches(const struct literal *literal, const char *text);
bool literal_is_none(const struct value *value);

#endif
