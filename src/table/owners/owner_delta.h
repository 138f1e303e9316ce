/* Retained sizes of owners in the oldest earlier dump of the process. Private to src/table. */
#ifndef TABLE_OWNER_DELTA_H
#define TABLE_OWNER_DELTA_H

#include "table/columns.h"

struct owner_delta;

/* Computes the sizes for the topmost rows of a table of owners, right after opening. *delta is NULL
   without an earlier dump. False: *err. */
bool owner_delta_open(const struct rows *rows, struct owner_delta **delta, struct err *err);
void owner_delta_close(struct owner_delta *delta);

bool owner_delta_absent(const struct rows *rows); /* for struct column */
column_cell owner_delta_count_cell, owner_delta_retained_cell;

#endif
