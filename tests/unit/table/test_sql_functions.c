/* A single call of a function of SQL ends when it is cancelled: SQLite looks only between its
 * steps. */
#include "cmocka_all.h"

#include "base/progress.h"
#include "table/query/sql_database.h"

/* 16 MB of text, and patterns that are compared with much of it at each place. */
#define LONG            "hex(zeroblob(8000000))"
#define PATTERN(one, z) "'" z "' || replace(hex(zeroblob(12000)), '00', '" one "0') || '1" z "'"

static int step_cancelled(const char *query)
{
	struct sql_database database;
	struct progress progress = {.cancel = true};
	struct err err = {0};
	assert_true(sql_database_open(&database, NULL, &err));
	sqlite3_stmt *statement = sql_database_prepare(&database, query, &err);
	assert_non_null(statement);
	database.progress = &progress;
	int result = sqlite3_step(statement);
	sqlite3_finalize(statement);
	sql_database_close(&database);
	return result;
}

TEST(patterns_are_cancelled)
{
	assert_int_equal(step_cancelled("SELECT " LONG " LIKE " PATTERN("_", "%")), SQLITE_INTERRUPT);
	assert_int_equal(step_cancelled("SELECT " LONG " GLOB " PATTERN("?", "*")), SQLITE_INTERRUPT);
	assert_int_equal(step_cancelled("SELECT " LONG " GLOB '*[' || hex(zeroblob(12000)) || '1]1*'"),
	                 SQLITE_INTERRUPT);
}

/* The others end by themselves. */
TEST(others_take_one_pass)
{
	assert_int_equal(step_cancelled("SELECT instr(" LONG ", hex(zeroblob(4000000)) || '1')"),
	                 SQLITE_ROW);
	assert_int_equal(
		step_cancelled("SELECT length(replace(" LONG ", hex(zeroblob(4000000)) || '1', ''))"),
		SQLITE_ROW);
	assert_int_equal(step_cancelled("SELECT length(rtrim(" LONG
	                                ", replace(hex(zeroblob(9)), '0', 'é') || '0'))"),
	                 SQLITE_ROW);
}
