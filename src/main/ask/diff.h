/* The parts of goheapx diff beside types: shapes, for dumps whose types cannot be compared, and
   owners, fields, groups of threads and allocation sites, whose names are the same in two
   processes of one program. */
#pragma once

#include "analysis/series.h"
#include "main/print/json.h"
#include "table/naming/typed.h"

/* Rows of two dumps, joined by their names. */
struct diff_list {
	struct diff_named *item;
	size_t count, capacity;
	bool one_process;
};
void diff_list_add(struct diff_list *list, bool newer, const char *name, uint64_t count,
                   uint64_t bytes);
void diff_list_fini(struct diff_list *list);
/* Adds the reachable objects by slot size with the positions of pointers: "obj[48] PP....". */
void diff_add_shapes(struct diff_list *list, const struct analysis *analysis, bool newer);

/* The types that differ, the largest growth first; shapes for different programs. They have the
   keys "grew", "shrank", "new" and "gone" in JSON, and a line each as text. */
void diff_types_init(struct diff_list *types, const struct analysis *older,
                     const struct analysis *newer, enum series_relation relation);
void diff_types_json(const struct diff_list *types, struct json *json);
void diff_types_text(const struct diff_list *types, struct buf *out);

/* Returns the stages required of both dumps. */
unsigned diff_tables_needs(void);
/* Append each table as a JSON key with a list, or as text with a line for each of the largest
   changes. Tables that a dump lacks are omitted; for two programs, JSON has null and the text
   nothing. False: *err. */
bool diff_tables_json(const struct analysis *older, const struct analysis *newer,
                      enum series_relation relation, struct json *json, struct err *err);
bool diff_tables_text(const struct analysis *older, const struct analysis *newer,
                      enum series_relation relation, struct buf *out, struct err *err);
