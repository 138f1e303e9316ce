/* Functions of SQL that end in time, and when they are cancelled. Private to src/table/query. */
#pragma once

#include "table/query/sql_database.h"

struct sql_function {
	const char *name;
	int count; /* of arguments */
	unsigned flags;
	void (*call)(sqlite3_context *context, int count, sqlite3_value **arguments);
};

/* Replace functions of SQLite: instr, replace and trim; LIKE and GLOB. Return a code of SQLite. */
int sql_functions_add(struct sql_database *database);
int sql_pattern_add(struct sql_database *database);
/* Returns true for a function that is not replaced, and would take too long. */
bool sql_function_is_slow(const char *name);
