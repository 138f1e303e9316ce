/* SQL over the tables of the explorer: each is a virtual table of SQLite, read where it lies, row
   by row as the query asks. What a table takes as its argument is its hidden column "argument", so
   that it can stand behind its name as well: referrers('0xc000012340'). Nothing can be written. */
#ifndef TABLE_SQL_DATABASE_H
#define TABLE_SQL_DATABASE_H

#include "table/table.h"

#include <sqlite3.h>

struct sql_database {
	sqlite3 *db;
	const struct analysis *analysis; /* NULL: queries are only looked at */
	struct progress *progress;       /* may be NULL */
	bool declaring;                  /* a table says of itself what columns it has */
	unsigned needs;                  /* stages that the queries prepared so far take */
};

/* False: *err. sql_database_close() in any case. */
bool sql_database_open(struct sql_database *database, const struct analysis *analysis,
                       struct err *err);
void sql_database_close(struct sql_database *database);
/* NULL: *err says what is wrong with the query, and where. */
sqlite3_stmt *sql_database_prepare(struct sql_database *database, const char *query,
                                   struct err *err);
/* What went wrong last. */
bool sql_database_fail(const struct sql_database *database, struct err *err);
/* The stages that a query takes, of tables and columns that it uses. False: something is wrong with
   it. */
bool sql_needs(const char *query, unsigned *stages);

/* sql_schema.c: a table as the language declares it; its name there has a _ for a -. */
void sql_schema_add_name(const struct table *table, struct buf *out);
void sql_schema_add(const struct table *table, struct buf *out);
/* The table of that name, in any case of letters; NULL: there is none. */
const struct table *sql_schema_find(const char *name);
/* Is it a table of a query, and not the query itself? */
bool sql_schema_has(const struct table *table);

/* sql_module.c: makes a table known. */
int sql_module_add(struct sql_database *database, const struct table *table);

#endif
