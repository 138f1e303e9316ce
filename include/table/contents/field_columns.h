/* Columns that the user defines by an expression for a field of the row's object.

     .User.Name       a field, an element, an entry of a map, as in table/naming/expression.h
     len(.Tags)       the length of a string, a slice, a map, a channel; cap( likewise

   A table with such columns is a copy of the table, with these columns after its own; filters,
   sorting, writers and lists use the copy like any other table. */
#pragma once

#include "table/table.h"

/* The most such columns; all columns of the table are at most TABLE_COLUMNS_MOST. */
enum { FIELD_COLUMNS_MOST = 12 };

struct field_columns {
	const struct table *base;
	struct table table; /* the copy */
	struct column *columns;
	char *name[FIELD_COLUMNS_MOST];
	int count; /* number of the user's columns */
};

/* Returns the length of the expression that a text begins with; 0: none. */
size_t field_columns_length(const char *text);

/* Returns the length of the expression or column name that a text begins with. */
size_t field_columns_name_length(const char *text);

/* Initializes a copy of `base`. *columns must not move, and must outlive all that uses its
   table. */
void field_columns_init(struct field_columns *columns, const struct table *base);
void field_columns_fini(struct field_columns *columns);
/* Returns the table with all columns. */
const struct table *field_columns_table(const struct field_columns *columns);
/* Adds a column for an expression of `length` bytes, unless it exists. False: too many, or the rows
   are about no objects. */
bool field_columns_add(struct field_columns *columns, const char *text, size_t length,
                       struct err *err);
/* Removes the last column. */
void field_columns_drop(struct field_columns *columns);
/* Adds columns for all expressions in a list of names, and for those that a filter compares. */
bool field_columns_add_list(struct field_columns *columns, const char *names, struct err *err);
bool field_columns_add_filter(struct field_columns *columns, const char *filter, struct err *err);

/* Determines the kind of values of each column from the opened rows. False: no object of the
   `count` rows has such a field; *err lists the fields that exist. row: numbers of the rows; NULL:
   all. */
bool field_columns_settle(struct field_columns *columns, const struct rows *rows,
                          const uint32_t *row, size_t count, struct err *err);

/* Adds columns for fields by which the first rows differ, where these are objects of one type. */
void field_columns_choose(struct field_columns *columns, const struct rows *rows);

/* The cell of a column of the user; the column's name is the expression. */
void field_columns_cell(const struct rows *rows, size_t row, const struct column *column,
                        struct value *value);
