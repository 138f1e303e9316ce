/* A table that is being opened beside the screen, which must not stand still for it. */
#ifndef UI_TABLE_LOADER_H
#define UI_TABLE_LOADER_H

#include "table/table.h"

struct table_loader;

/* As rows_open. `argument` is copied and may be NULL. */
struct table_loader *table_loader_begin(const struct table *table, const struct analysis *analysis,
                                        const char *argument);
/* True when it has ended, within so many milliseconds. */
bool table_loader_wait(struct table_loader *loader, int milliseconds);
/* What it has given: NULL and *err when the table does not open, or when it was still at work and
   is cancelled. Frees the opening; NULL does nothing. */
struct rows *table_loader_end(struct table_loader *loader, struct err *err);
const struct table *table_loader_table(const struct table_loader *loader);
const char *table_loader_argument(const struct table_loader *loader);
void table_loader_progress(const struct table_loader *loader, struct buf *out); /* "counting shapes
                                                                                   34%" */

#endif
