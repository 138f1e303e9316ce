/* A table of the explorer as a virtual table: what planning and reading share. Private to
   src/table/query. */
#pragma once

#include "table/codes.h"
#include "table/query/sql_database.h"

/* The access method of a cursor, best first. 0: a scan of all rows. */
enum { BY_ARGUMENT = 1, BY_NUMBER, BY_ADDRESS, BY_COLUMN };
/* An access method is in the lowest bits of idxNum. Above it are 1 + the column that the rows are
   looked up by, or sorted by, then with LIMIT and OFFSET as arguments where only the first are
   wanted, whether that is in descending order, and whether equal rows are read once. */
enum {
	ACCESS = 255,
	SORTED_SHIFT = 8,
	SORTED = 0xffff,
	DESCENDING = 1 << 24,
	FOLDED = 1 << 25,
};

struct sql_table {
	sqlite3_vtab base;
	struct sql_database *database;
	const struct table *table;
	/* rows without an argument, cached because joins request them repeatedly; or NULL */
	struct rows *all;
	size_t *order; /* of a tree: its rows, each before its children; NULL: row order */
	size_t count;
	uint32_t **index;    /* by column: its rows in the order of that column; NULL: none yet */
	struct codes *codes; /* by column, of `all`: codes_of_column. SQLite reads their texts in place
	                      */
};

/* Place of the hidden column `argument`; those of the table come after it, and then hidden columns:
   EQUAL_ROWS, `rowid` and the key that tells rows of different arguments apart. The places of these
   are relative to the first. */
enum { ARGUMENT_COLUMN, OWN_COLUMNS };
enum { HIDDEN_EQUAL, HIDDEN_NUMBER, HIDDEN_KEY };

/* Returns the place of a hidden column behind those of the table. */
static inline int sql_hidden_column(const struct table *table, int hidden)
{
	return OWN_COLUMNS + table->column_count + hidden;
}

/* sql_plan.c: xBestIndex. The text that it passes to xFilter are the columns that equal rows are
   equal in, as a decimal mask. */
int sql_plan_best_index(sqlite3_vtab *vtab, sqlite3_index_info *plan);
