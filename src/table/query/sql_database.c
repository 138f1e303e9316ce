#include "table/query/sql_database.h"

#include "analysis/analysis.h"
#include "base/text.h"
#include "table/query/sql_functions.h"
#include "table/query/sql_memory.h"
#include "table/query/sql_named.h"
#include "table/query/sql_rewrite.h"

#include <string.h>

enum {
	STEPS = 10000,
	SHOWN = 60,
	LONGEST = 32 << 20, /* bytes of a value */
	ARGUMENTS = 16,     /* of a function, each of which may be as long */
	NOTES_MOST = 1000,  /* bytes of what tables say */
	/* One thread at a time uses it: no locks, which each cell would take. */
	OPENS = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
};

/* Allows only reading: queries cannot attach files, create or set anything. */
static int sql_database_allow(void *self, int action, const char *a, const char *b, const char *c,
                              const char *d)
{
	const struct sql_database *database = self;
	(void)a, (void)c, (void)d;
	if (database->declaring)
		return SQLITE_OK;
	switch (action) {
	case SQLITE_SELECT:
	case SQLITE_READ:
	case SQLITE_RECURSIVE:
		return SQLITE_OK;
	case SQLITE_FUNCTION:
		return sql_function_is_slow(b) ? SQLITE_DENY : SQLITE_OK;
	default:
		return SQLITE_DENY;
	}
}

static int sql_database_goes_on(void *self)
{
	const struct sql_database *database = self;
	return !progress_step(database->progress, 0);
}

bool sql_database_open(struct sql_database *database, const struct analysis *analysis,
                       struct err *err)
{
	*database = (struct sql_database){.analysis = analysis};
	sql_memory_renew();
	if (sqlite3_open_v2(":memory:", &database->db, OPENS, NULL) != SQLITE_OK)
		return sql_database_fail(database, err);
	/* The other functions cannot be interrupted, so the size of what they read and make is limited.
	 */
	sqlite3_limit(database->db, SQLITE_LIMIT_LENGTH, LONGEST);
	sqlite3_limit(database->db, SQLITE_LIMIT_FUNCTION_ARG, ARGUMENTS);
	if (sql_functions_add(database) != SQLITE_OK)
		return sql_database_fail(database, err);
	/* Temporary data may contain contents of the heap, so it must not be written to files. */
	sqlite3_exec(database->db, "PRAGMA temp_store = MEMORY", NULL, NULL, NULL);
	for (size_t i = 0; tables[i]; i++)
		if (sql_schema_has(tables[i])
		    && (sql_module_add(database, tables[i]->name) != SQLITE_OK
		        || (tables[i]->former && sql_module_add(database, tables[i]->former) != SQLITE_OK)))
			return sql_database_fail(database, err);
	sqlite3_set_authorizer(database->db, sql_database_allow, database);
	sqlite3_progress_handler(database->db, STEPS, sql_database_goes_on, database);
	return true;
}

void sql_database_close(struct sql_database *database)
{
	sqlite3_close(database->db);
	buf_free(&database->note);
}

struct rows *sql_database_rows(struct sql_database *database, const struct table *table,
                               const char *argument, struct err *err)
{
	SCOPED_BUF doubt = {0};
	struct rows *rows =
		rows_open_watched(table, database->analysis, argument, database->progress, err);
	if (!rows)
		return NULL;
	if (damage_doubt(analysis_heap(database->analysis), table->from, &doubt))
		database->from = table->from;
	bool lacks = rows->unknown || (!argument && !rows->count);
	if (lacks && rows->note.len && database->note.len < NOTES_MOST
	    && !strstr(buf_text(&database->note), buf_text(&rows->note)))
		buf_addf(&database->note, "%s%s", database->note.len ? " " : "", buf_text(&rows->note));
	return rows;
}

bool sql_database_fail(const struct sql_database *database, struct err *err)
{
	SCOPED_BUF text = {0};
	if (sqlite3_errcode(database->db) == SQLITE_NOMEM)
		return sql_memory_fail(err);
	const char *message = sqlite3_errmsg(database->db);
	text_add_escaped(&text, message, strlen(message), SIZE_MAX);
	return err_set(err, "%.300s", buf_text(&text));
}

/* Returns the byte offset that SQLite's message refers to; -1: none. For a missing table SQLite
   gives only its name. */
static int sql_database_place(const struct sql_database *database, const char *query)
{
	static const char unknown[] = "no such table: ";
	const char *message = sqlite3_errmsg(database->db);
	int at = sqlite3_error_offset(database->db);
	if (at >= 0 || strncmp(message, unknown, sizeof unknown - 1) != 0)
		return (size_t)(at < 0 ? 0 : at) < strlen(query) ? at : -1;
	const char *found = strstr(query, message + sizeof unknown - 1);
	return found ? (int)(found - query) : -1;
}

/* SQLite has no way to read a table: only the argument of a table makes a plan impossible. */
static void sql_database_say_argument(struct err *err)
{
	*err = (struct err){0};
	err_set(
		err,
		"A table of the query needs its argument: in parentheses, as referrers('0xc000012340'), "
		"or by argument = in every part of an OR; by no other comparison");
}

/* Appends "... at character 15: FROM objekts WHERE"; for a query of several lines "at line 2,
   character 7". */
static void sql_database_say_where(const struct sql_database *database, const char *query,
                                   struct err *err)
{
	int at = sql_database_place(database, query), line = 1;
	const char *begin = query;
	SCOPED_BUF text = {0}, message = {0};
	sql_database_fail(database, err);
	if (strcmp(sqlite3_errmsg(database->db), "no query solution") == 0)
		sql_database_say_argument(err);
	if (at < 0)
		return;
	for (const char *end; (end = strchr(begin, '\n')) != NULL && end < query + at; line++)
		begin = end + 1;
	text_add_escaped(&text, query + at, strcspn(query + at, "\n"), SHOWN);
	buf_addf(&message, "%s, at ", err->text);
	if (strchr(query, '\n'))
		buf_addf(&message, "line %d, ", line);
	buf_addf(&message, "character %d: %s", (int)(query + at - begin) + 1, buf_text(&text));
	*err = (struct err){0};
	err_set(err, "%.380s", buf_text(&message));
}

/* Prepares a query that reads equal rows once; NULL: this one does not, or is malformed. */
static sqlite3_stmt *sql_database_prepare_folded(struct sql_database *database, const char *query)
{
	sqlite3_stmt *statement = NULL;
	SCOPED_BUF folded = {0};
	if (sql_rewrite(query, &folded))
		sqlite3_prepare_v2(database->db, buf_text(&folded), -1, &statement, NULL);
	return statement;
}

sqlite3_stmt *sql_database_prepare(struct sql_database *database, const char *query,
                                   struct err *err)
{
	database->query = query;
	database->opened = 0;
	sqlite3_stmt *statement = sql_database_prepare_folded(database, query);
	const char *rest = NULL;
	if (statement)
		return statement;
	if (sqlite3_prepare_v2(database->db, query, -1, &statement, &rest) != SQLITE_OK)
		sql_database_say_where(database, query, err);
	else if (!statement)
		err_set(err, "The query is empty: SELECT ... FROM TABLE");
	else if (rest && rest[strspn(rest, " \t\r\n;")])
		err_set(err, "There is more than one query: end after the first ;");
	else
		return statement;
	sqlite3_finalize(statement);
	return NULL;
}

/* A query that has opened one table has read no other, so that the argument is its own even where
   it is an expression. */
bool sql_database_names(const struct sql_database *database, const char *argument)
{
	return database->opened <= 1 || (database->query && sql_named_in(database->query, argument));
}

bool sql_needs(const char *query, unsigned *stages)
{
	struct sql_database database;
	struct err err = {0};
	bool done = sql_database_open(&database, NULL, &err);
	sqlite3_stmt *statement = done ? sql_database_prepare(&database, query, &err) : NULL;
	*stages = STAGE_READ | database.needs;
	sqlite3_finalize(statement);
	sql_database_close(&database);
	return statement;
}
