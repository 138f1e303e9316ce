/* A table that is being opened beside the screen, which must not stand still for it. */
#ifndef UI_OPENING_H
#define UI_OPENING_H

#include "table/table.h"

struct opening;

/* As rows_open. `argument` is copied and may be NULL. */
struct opening *opening_begin(const struct table *table, const struct analysis *analysis,
                              const char *argument);
/* True when it has ended, within so many milliseconds. */
bool opening_wait(struct opening *opening, int milliseconds);
/* What it has given: NULL and *err when the table does not open, or when it was still at work and
   is cancelled. Frees the opening; NULL does nothing. */
struct rows *opening_end(struct opening *opening, struct err *err);
const struct table *opening_table(const struct opening *opening);
const char *opening_argument(const struct opening *opening);
void opening_progress(const struct opening *opening, struct buf *out); /* "counting shapes 34%" */

#endif
