/* Assertions about a dump, for scripts:

       retained(type ~ "Session") < 100 MB
       bytes(type = "[]uint8" and size > 1M) <= 1G
       goroutines(status = waiting) < 100
       warnings() = 0
       sum(len(.Items), type = main.Order) < 10k
       growth(main.sessions) < 1 MB
       wasted(slack) < 50 MB

   retained: the bytes that would be freed if all matching objects were gone; bytes: the sum of
   their sizes; sum: the sum of a field or column, whose expression ends at a comma; the name of a
   table: the number of matching rows; growth: how much more a path retains than in the oldest
   earlier dump; without a path, how much more is reachable; wasted: the unused bytes in one of the
   tables pinned, slack and duplicates; without a name, in all three. Otherwise a filter
   (table/query/filter.h) over the table is between the parentheses; the table is objects for the
   first three, and an empty filter matches all rows. */
#pragma once

#include "table/query/filter.h"

struct assertion;

/* Parses an assertion. NULL: *err says what was expected, and where. */
struct assertion *assertion_new(const char *text, struct err *err);
void assertion_free(struct assertion *assertion);
/* Returns the stages of the analysis that it requires. */
unsigned assertion_needs(const struct assertion *assertion);
/* Measures the left side. False: *err; the assertion neither holds nor fails. */
bool assertion_measure(struct assertion *assertion, const struct analysis *analysis,
                       struct err *err);
/* These functions require a successful assertion_measure. */
bool assertion_holds(struct assertion *assertion);
/* Returns true if the assertion holds only because no row matches its filter, as with a misspelled
   name. Assertions that expect no match, = 0 and < 1, do not count. */
bool assertion_is_empty(struct assertion *assertion);
/* Returns a line for each name in the filter that is in no row of the dump or of an earlier one,
   and that the program does not have: it may be misspelled. "" if there is none. */
const char *assertion_absent(const struct assertion *assertion);
const char *assertion_text(const struct assertion *assertion);

/* Returns one row per assertion: `assertion`, `matched`, `value`, `holds`. The assertions are
   borrowed until rows_close. */
struct rows *assertions_rows(struct assertion *const *assertions, size_t count);
