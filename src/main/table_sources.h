/* The tables of a dump as programs for data load them: each as one query over them (table/
   sql_database.h). Those that take an argument are there for all that it may be, with a column more
   that says which it was. */
#ifndef MAIN_TABLE_SOURCES_H
#define MAIN_TABLE_SOURCES_H

#include "table/sql_database.h"

struct table_source {
	const struct table *table;
	const struct column *of; /* the column more; NULL: none */
	const char *of_table, *of_name;
};

enum { TABLE_SOURCES_MOST = 64 };

struct table_sources {
	struct table_source source[TABLE_SOURCES_MOST];
	size_t count;
	unsigned needs; /* stages */
};

/* Those that are named, with commas between them, or NULL: all that there may be. False: *err. */
bool table_sources_choose(struct table_sources *sources, const char *names, struct err *err);
/* Can a dump of this format have rows in it? */
bool table_source_is_in(const struct table_source *source, const struct analysis *analysis);

/* The name of the table, with _ for -. */
void table_source_add_name(const struct table_source *source, struct buf *out);
/* Its rows: the columns as table_source_column has them. */
void table_source_add_query(const struct table_source *source, struct buf *out);
/* NULL: there are no more. The name of the one that is the argument is *name, too. */
const struct column *table_source_column(const struct table_source *source, int i,
                                         const char **name);

#endif
