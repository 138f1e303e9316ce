/* What must hold of a dump, for scripts:

       retained(type ~ "Session") < 100 MB
       bytes(type = "[]uint8" and size > 1M) <= 1G
       goroutines(status = waiting) < 100
       warnings() = 0
       sum(len(.Items), type = main.Order) < 10k
       growth(main.sessions) < 1 MB

   retained: the bytes that would be freed if all objects like that went together; bytes: those of
   the objects themselves; sum: what they have in a field or column, which a comma ends; the name of
   a table: how many of its rows are like that; growth: how much more a path retains than in the
   oldest earlier dump, without one how much more is reachable. Between the parentheses is a filter
   (table/filter.h) over the table, which is objects for the first three; empty, it is all rows. */
#ifndef TABLE_ASSERTION_H
#define TABLE_ASSERTION_H

#include "table/filter.h"

struct assertion;

/* NULL: *err says what was expected, and where. */
struct assertion *assertion_new(const char *text, struct err *err);
void assertion_free(struct assertion *assertion);
/* The stage of the analysis that it takes. */
unsigned assertion_needs(const struct assertion *assertion);
/* Measures. False: *err, nothing can be said. */
bool assertion_measure(struct assertion *assertion, const struct analysis *analysis,
                       struct err *err);
/* Afterwards: */
bool assertion_holds(struct assertion *assertion);
/* Does it hold for the only reason that nothing is like its filter? Then it says as little as one
   with a misspelt name, unless it says of nothing else: = 0 and < 1 do not count. */
bool assertion_is_empty(struct assertion *assertion);
const char *assertion_text(const struct assertion *assertion);

/* The rows of several: `assertion`, `matched`, `value`, `holds`. Close it with rows_close; the
   assertions stay with the caller and must live as long. */
struct rows *assertions_rows(struct assertion *const *assertions, size_t count);

#endif
