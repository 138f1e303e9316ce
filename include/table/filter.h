/* Which rows of a table are wanted, as a person writes it:

       type ~ "Session" and size > 4k
       not reachable or (referrers = 0 and type_known != none)
       needle

   A comparison is a column, = != < <= > >= ~ or !~, and a value; ~ takes a POSIX extended regular
   expression and looks into the cell as the screen shows it. A column of yes and no stands alone,
   too. Any other word, and any text in quotes, that stands alone is looked for in all cells,
   whatever the case. Sizes may have B, k, M, G, T (1 k = 1024), numbers k, M, G, T (1 k = 1000),
   times ns, us, ms, s, min, h, days, shares %. `none` is a cell without a value: it is not equal
   to any value, neither larger nor smaller. Fields of the row's object are columns, too, where the
   table has been given them: table/field_columns.h. */
#ifndef TABLE_FILTER_H
#define TABLE_FILTER_H

#include "base/map.h"
#include "table/table.h"

struct filter;

/* NULL: *err says what was expected, and at which column of the text. */
struct filter *filter_new(const struct table *table, const char *text, struct err *err);
void filter_free(struct filter *filter);

/* The stages after which all columns that it compares have their values. */
unsigned filter_needs(const struct filter *filter);

/* `rows` must be of the filter's table. Only the columns that decide are looked at. One thread at
   a time may use a filter. */
bool filter_matches(struct filter *filter, const struct rows *rows, size_t row);

/* Does a column help to decide? */
bool filter_asks_for(const struct filter *filter, int column);
/* What may stand at the end of a filter that is being written. */
enum filter_wants { FILTER_COLUMN, FILTER_RELATION, FILTER_VALUE, FILTER_PATTERN, FILTER_OPERATOR };
/* *column is the one that is compared, -1: none. */
enum filter_wants filter_wants(const struct table *table, const char *text, int *column);
/* The operators, = != and so on; NULL at the end. */
extern const char *const filter_relations[];

/* Does any cell of a row, as the screen shows it, contain a text, whatever its case? What has been
   said of a cell is kept by its key. `struct row_search search = {0}`, then row_search_begin. */
struct row_search {
	const char *text;        /* of the caller's */
	const struct rows *rows; /* that the columns are of */
	struct searched_column {
		bool possible; /* values of its kind may contain the text */
		struct map told;
	} * column;
	int columns;
	struct buf cell;
};
/* Forgets all, as rows may have changed. */
void row_search_begin(struct row_search *search, const char *text);
bool row_search_matches(struct row_search *search, const struct rows *rows, size_t row);
void row_search_fini(struct row_search *search);

/* The numbers of the rows that match, the first `limit` of them, in their order: *count, free()
   them. NULL when cancelled. */
uint32_t *rows_filtered(const struct rows *rows, struct filter *filter, size_t limit, size_t *count,
                        struct progress *progress);

#endif
