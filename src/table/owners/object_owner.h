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

#define OBJECT_OWNER                                                                  \
	.name = "owner", .title = "owner", .kind = VALUE_TEXT, .cell = object_owner_cell, \
	.key = object_owner_key, .stages = STAGE_OWNED | STAGE_TYPED, .on_request = true, \
	.help = "The variable, " THREAD_WORD                                              \
			" or record that owns it, as in the table owners; several "               \
			"where it goes only when all of them go"

#endif
