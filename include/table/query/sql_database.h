/* SQL over the tables of the explorer. Each is a virtual table of SQLite, which reads the rows on
   demand, without a copy. The argument of a table is its hidden column "argument", so that it can
   also follow the name: referrers('0xc000012340'). The database is read-only. */
#pragma once

#include "table/table.h"

#include <sqlite3.h>

struct sql_database {
	sqlite3 *db;
	const struct analysis *analysis; /* NULL: queries are only parsed */
	struct progress *progress;       /* may be NULL */
	bool declaring;                  /* true while a table declares its columns */
	unsigned needs;                  /* stages that the queries prepared so far require */
	const char *query;               /* the one that was prepared last; borrowed */
	size_t opened;                   /* tables that it has opened so far */
	struct buf note;       /* what those tables say of rows that they lack; may be empty */
	enum damage_part from; /* of a table that lost rows by damage */
};

/* Opens the database. False: *err. The caller calls sql_database_close in both cases. */
bool sql_database_open(struct sql_database *database, const struct analysis *analysis,
                       struct err *err);
void sql_database_close(struct sql_database *database);
/* Prepares a query, which the caller keeps as long as it reads rows. NULL: *err says what is wrong
   with the query, and where. */
sqlite3_stmt *sql_database_prepare(struct sql_database *database, const char *query,
                                   struct err *err);
/* Returns true if the prepared query itself gives a table this argument, and does not read it from
   another table. */
bool sql_database_names(const struct sql_database *database, const char *argument);
/* Opens the rows of a table, which the caller closes, and notes what is not known of them. The
   argument may be NULL. NULL: *err. */
struct rows *sql_database_rows(struct sql_database *database, const struct table *table,
                               const char *argument, struct err *err);
/* Sets *err to the last error of SQLite, and returns false. */
bool sql_database_fail(const struct sql_database *database, struct err *err);
/* Stores the stages that the tables and columns of a query require. False: *err, the query is
   malformed. */
bool sql_needs(const char *query, unsigned *stages);

/* sql_schema.c: append the SQL name of a table, with _ instead of -, and its SQL declaration;
   `whole`: with the column that only the database itself uses. */
void sql_schema_add_name(const char *table, struct buf *out);
void sql_schema_add(const struct table *table, bool whole, struct buf *out);
/* Returns the table with a name, case-insensitively; NULL: there is none. */
const struct table *sql_schema_find(const char *name);
/* Returns true if queries can use the table; false for the table sql itself. */
bool sql_schema_has(const struct table *table);

/* sql_module.c: registers a table as a virtual table. */
int sql_module_add(struct sql_database *database, const char *table);
