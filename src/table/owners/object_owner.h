/* The owner of each object: the owners of the shared set (analysis/owners.h) that it belongs to, as
   a column of objects. Four bytes an object, computed when the column is first asked for. */
#ifndef TABLE_OBJECT_OWNER_H
#define TABLE_OBJECT_OWNER_H

#include "table/columns.h"

/* For the tables whose rows are objects: "main.cache", "main.cache and main.last", "main.a and 7
   more"; empty for unreachable objects. */
column_cell object_owner_cell;
/* Returns 1 + the shared set of the row's object; 0: none. */
uint64_t object_owner_key(const struct rows *rows, size_t row);
/* Returns the shared set of each object, UINT32_MAX: none; and the owners. NULL: unknown. */
const uint32_t *object_owner_sets(const struct analysis *analysis, const struct owners **owners);

/* Returns true if the name of an owner is that of a variable or of threads, or of a part of them:
   "main.cache", "main.cache.items[*]", "3,000 × goroutine main.serve"; not if it has another owner,
   too: "main.cache and main.last", "main.cache[*], shared with main.last". */
bool owner_name_is(const char *name, const char *wanted);
/* Adds the objects whose owner has a name to a set (bits). After STAGE_OWNED. False: cancelled, or
   there is no such owner: *err. */
bool object_owner_select(const struct analysis *analysis, const char *wanted,
                         struct progress *progress, uint64_t *set, struct err *err);

#define OBJECT_OWNER                                                                  \
	.name = "owner", .title = "owner", .kind = VALUE_TEXT, .cell = object_owner_cell, \
	.key = object_owner_key, .stages = STAGE_OWNED | STAGE_TYPED, .on_request = true, \
	.help = "The variable, " THREAD_WORD                                              \
			" or record that owns it, as in the table owners; several "               \
			"where it goes only when all of them go"

#endif
