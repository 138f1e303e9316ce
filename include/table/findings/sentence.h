/* The worst of the rows of the table findings in a sentence. */
#pragma once

#include "table/table.h"

/* Appends it for rows that are not none: what has grown since an earlier dump, or can never wake up
   or run and stands out; else the first row, or, if that is small, that nothing stands out. Returns
   true for the former. Takes as long as the rows are many. */
bool findings_add_sentence(const struct rows *rows, struct buf *out);
