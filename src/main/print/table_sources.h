/* The tables of a dump for databases, each as one query (table/query/sql_database.h). A table with
   an argument contains the rows for all of its values, with an additional column for the value. */
#pragma once

#include "table/query/sql_database.h"

struct table_source {
	const struct table *table;
	const struct column *of; /* the additional column; NULL: none */
	const char *of_table, *of_name;
	const char *all; /* the argument for all values, with which the table has that column; or NULL
	                  */
};

enum { TABLE_SOURCES_MOST = 64 };

struct table_sources {
	struct table_source source[TABLE_SOURCES_MOST];
	size_t count;
	unsigned needs; /* required stages */
};

/* Selects tables by comma-separated names, or NULL: all possible ones. False: *err. */
bool table_sources_choose(struct table_sources *sources, const char *names, struct err *err);
/* Returns true if a dump of this format can have rows in it. */
bool table_source_is_in(const struct table_source *source, const struct analysis *analysis);

/* Appends the name of the table, with _ for -. */
void table_source_add_name(const struct table_source *source, struct buf *out);
/* Appends a query for its rows, with the columns of table_source_column. */
void table_source_add_query(const struct table_source *source, struct buf *out);
/* Returns a column, and its name in *name, which differs for the argument; NULL: no more. */
const struct column *table_source_column(const struct table_source *source, int i,
                                         const char **name);
