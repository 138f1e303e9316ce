/* Comparison by owners, fields, groups of threads and allocation sites: rows with names, which
   are the same in two processes of one program. */
#ifndef MAIN_DIFF_TABLES_H
#define MAIN_DIFF_TABLES_H

#include "analysis/series.h"
#include "main/json.h"

/* Returns the stages required of both dumps. */
unsigned diff_tables_needs(void);
/* Append each table as a JSON key with a list, or as text with a line for each of the largest
   changes. Tables that a dump lacks are omitted; for two programs, JSON has null and the text
   nothing. False: *err. */
bool diff_tables_json(const struct analysis *older, const struct analysis *newer,
                      enum series_relation relation, struct json *json, struct err *err);
bool diff_tables_text(const struct analysis *older, const struct analysis *newer,
                      enum series_relation relation, struct buf *out, struct err *err);

#endif
