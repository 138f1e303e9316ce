/* Filters that select rows of a table, as the user writes them:

       type ~ "Session" and size > 4k
       not reachable or (referrers = 0 and type_known != none)
       needle

   A comparison is a column, = != < <= > >= ~ or !~, and a value; ~ takes a POSIX extended regular
   expression and searches the cell as the screen shows it. A boolean column can stand alone. Any
   other word, and any quoted text, that stands alone is searched for in all cells,
   case-insensitively. Sizes may have B, k, M, G, T (1 k = 1024), numbers k, M, G, T (1 k = 1000),
   times ns, us, ms, s, min, h, days, shares %. `none` is a cell without a value: it is not equal to
   any value, neither larger nor smaller. Fields of the row's object are columns, too, if the table
   has them: table/contents/field_columns.h. */
#pragma once

#include "table/codes.h"

struct filter;

/* Parses a filter. NULL: *err says what was expected, and at which column of the text. */
struct filter *filter_new(const struct table *table, const char *text, struct err *err);
void filter_free(struct filter *filter);

/* Returns the stages after which all columns that it compares have their values. */
unsigned filter_needs(const struct filter *filter);

/* Returns true if the row matches. `rows` must be of the filter's table. Evaluates only the columns
   that can decide. Not thread-safe: one thread at a time may use a filter. */
bool filter_matches(struct filter *filter, const struct rows *rows, size_t row);

/* Returns true if the filter reads the column. */
bool filter_asks_for(const struct filter *filter, int column);
/* Returns false with *err if the filter compares a column that these rows lack: bytes that an owner
   owns, where all paths count; what has changed, without an earlier dump. Reads all rows. A text is
   searched in the columns that there are. NULL instead of a filter lacks nothing. */
bool filter_has_columns(const struct filter *filter, const struct rows *rows, struct err *err);
/* Returns the name of a column that the filter compares and that is empty in all of the rows; NULL:
   there is none. */
const char *filter_empty_column(const struct filter *filter, const struct rows *rows);
/* Appends a sentence if the rows are of a redacted file and the filter reads what is zero there:
   fields, texts, keys, values. */
void filter_add_redaction(const struct filter *filter, const struct rows *rows, struct buf *out);
/* Appends a value as filters write it: "text", 12, 3ns. False: they have none for it. */
bool filter_add_literal(const struct value *value, struct buf *out);

/* The kind of token that can follow an incomplete filter. */
enum filter_wants { FILTER_COLUMN, FILTER_RELATION, FILTER_VALUE, FILTER_PATTERN, FILTER_OPERATOR };
/* Returns the kind of token that can follow `text`. *column is the column that is compared, -1:
   none. */
enum filter_wants filter_wants(const struct table *table, const char *text, int *column);
/* The operators, = != and so on; NULL at the end. */
extern const char *const filter_relations[];

/* A case-insensitive search for a text in all cells of a row, as the screen shows them. Caches the
   result for each text that rows share. Usage: `struct row_search search = {0}`, then
   row_search_begin. */
struct row_search {
	const char *text;        /* borrowed */
	const struct rows *rows; /* the rows that the columns belong to */
	struct codes *codes;     /* by column; a note is 1 + whether the text is in that of a code */
	bool *possible;          /* by column: values of this kind can contain the text */
	int columns;
	struct buf cell;
};
/* Starts a search and clears all caches, since rows may have changed. */
void row_search_begin(struct row_search *search, const char *text);
bool row_search_matches(struct row_search *search, const struct rows *rows, size_t row);
void row_search_fini(struct row_search *search);

/* Returns the numbers of the first `limit` matching rows, ascending, and stores *count. The caller
   frees the result. NULL: cancelled. */
uint32_t *rows_filtered(const struct rows *rows, struct filter *filter, size_t limit, size_t *count,
                        struct progress *progress);
