/* Columns that a person writes down: what a field of the object has that a row is about.

     .User.Name       a field, an element, an entry of a map, as in table/expression.h
     len(.Tags)       how many are in a string, a slice, a map, a channel; cap( likewise

   A table with such columns is a copy of it that has them after its own: all that takes a table
   (filters, orders, writers, lists) takes it. */
#ifndef TABLE_FIELD_COLUMNS_H
#define TABLE_FIELD_COLUMNS_H

#include "table/table.h"

/* Fields, and all columns of a table that has some. */
enum { FIELD_COLUMNS_MOST = 12, FIELD_COLUMNS_ALL = 24 };

struct field_columns {
	const struct table *base;
	struct table table; /* the copy */
	struct column *columns;
	char *name[FIELD_COLUMNS_MOST];
	int count; /* of those that were written down */
};

/* Bytes of the expression that a text begins with; 0: it begins with none. */
size_t field_columns_length(const char *text);

/* The same of one, or of a column's name. */
size_t field_columns_name_length(const char *text);

/* It must stay where it is, and as long as what is made of its table. */
void field_columns_init(struct field_columns *columns, const struct table *base);
void field_columns_fini(struct field_columns *columns);
/* The table with all columns that there are. */
const struct table *field_columns_table(const struct field_columns *columns);
/* A column for an expression of so many bytes, if there is none yet. False: too many, or the rows
   are about no objects. */
bool field_columns_add(struct field_columns *columns, const char *text, size_t length,
                       struct err *err);
/* Takes the last one away again. */
void field_columns_drop(struct field_columns *columns);
/* For all expressions of a list of names, and for those that a filter compares. */
bool field_columns_add_list(struct field_columns *columns, const char *names, struct err *err);
bool field_columns_add_filter(struct field_columns *columns, const char *filter, struct err *err);

/* Once there are rows of the table: what kind of values each column has. False: no object that one
   of `count` rows is about has such a field; *err says which there are. row: NULL: all. */
bool field_columns_settle(struct field_columns *columns, const struct rows *rows,
                          const uint32_t *row, size_t count, struct err *err);

/* The cell of a column that was written down; its name says which field. */
void field_columns_cell(const struct rows *rows, size_t row, const struct column *column,
                        struct value *value);

#endif
