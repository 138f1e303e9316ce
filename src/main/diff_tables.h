/* What has changed by owners, fields, groups of goroutines and allocation sites: things that have
   names, so that they are the same in two processes of one program. */
#ifndef MAIN_DIFF_TABLES_H
#define MAIN_DIFF_TABLES_H

#include "analysis/series.h"
#include "main/json.h"

/* The stages that it takes of both. */
unsigned diff_tables_needs(void);
/* Each as a key with a list; as lines, those that have changed most. Nothing is compared of what a
   dump lacks; of two programs null and nothing. False: *err. */
bool diff_tables_json(const struct analysis *older, const struct analysis *newer,
                      enum series_relation relation, struct json *json, struct err *err);
bool diff_tables_text(const struct analysis *older, const struct analysis *newer,
                      enum series_relation relation, struct buf *out, struct err *err);

#endif
