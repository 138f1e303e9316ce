/* The parts of goheapx diff beside types: shapes, for dumps whose types cannot be compared, and
   owners, fields, groups of threads and allocation sites, whose names are the same in two
   processes of one program. */
#ifndef MAIN_DIFF_H
#define MAIN_DIFF_H

#include "analysis/series.h"
#include "main/json.h"
#include "table/naming/typed.h"

/* Like type_groups_reachable, but a group is a slot size with the positions of pointers: "obj[48]
   PP....". */
void diff_shapes(struct type_groups *groups, const struct analysis *analysis);

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
