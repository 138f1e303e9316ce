/* The worst of the rows of the table findings in a sentence. */
#pragma once

#include "table/table.h"

/* Appends it for rows that are not none: what has grown since an earlier dump, or can never wake up
   or run and stands out; else the first row, or, if that is small, that nothing stands out. Returns
   true for the former. On `lines` lines of `columns` each, where that can be: names are shortened,
   and the less important parts are left out; lines 0: as it is. Takes as long as the rows are many.
 */
bool findings_add_sentence(const struct rows *rows, int lines, int columns, struct buf *out);
/* Returns how many rows stand before those that say little beside them. */
size_t findings_count_large(const struct rows *rows);
/* Appends " more below 1%: up to 45.1 KB in all", about the rows from `first` on. */
void findings_add_rest(const struct rows *rows, size_t first, struct buf *out);
