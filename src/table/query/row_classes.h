/* Tables made of another table, by declaration. The rows of such a table are

     classes (.classes_of): of rows that are equal in the key columns,
     a view (.view_of):     the same rows, with other columns.

   Such a table is the name of the other table, a filter for its rows (.of_where), and columns that
   say what they show:

     static const struct column columns[] = {
         {"owner", ..., KEY("owner")}, {"samples", ..., ROWS_COUNT}, {"bytes", ..., SUM("size")}};
     DEFINE_PLUGIN(tables, ...) = {.classes_of = "profiles-object", CLASSES, COLUMNS(columns), ...};

   Columns of the other table may be fields, as "len(.Items)". `open` and `fill` of the table run
   when its rows are there. Enter on a row shows the rows of the class. */
#pragma once

#include "analysis/kept.h"
#include "analysis/retained_of_class.h"
#include "table/codes.h"
#include "table/contents/field_columns.h"
#include "table/table.h"

struct filter;

#define CLASSES          .made = &classes_made /* every such table says so */
#define CLASS_COLUMN     .cell = classes_cell, .of
#define KEY(column)      CLASS_COLUMN = {CLASS_KEY, (column)}
#define ROWS_COUNT       CLASS_COLUMN = {CLASS_ROWS, NULL}
#define ROWS_BYTES       CLASS_COLUMN = {CLASS_BYTES, NULL}, .absent = classes_no_objects
#define SUM(column)      CLASS_COLUMN = {CLASS_SUM, (column)}
#define MOST(column)     CLASS_COLUMN = {CLASS_MOST, (column)}
#define SHARE_OF(column) CLASS_COLUMN = {CLASS_SHARE, (column)}
#define SAME(column)     CLASS_COLUMN = {CLASS_SAME, (column)}
#define RETAINED         CLASS_COLUMN = {CLASS_RETAINED, NULL}, .absent = classes_retained_unknown

/* Of a key: its value. Of another column: sums of the numbers. */
struct class_cell {
	uint64_t number, whole; /* whole, of a sum: of the numbers below zero */
	double real;            /* the sum of numbers with a fraction */
	uint32_t text;          /* code of the column, or CODE_NONE; 0: none */
	uint8_t kind;           /* enum value_kind; VALUE_NONE: no row has a value */
	bool negative;
};

/* The rows of such a table. */
struct classes {
	struct rows *of;
	struct field_columns fields;  /* of the other table */
	const struct table *of_table; /* with these */
	struct filter *filter;        /* NULL: none */
	struct class_column {
		int from; /* column of the other table; -1: none */
		struct codes codes;
		struct class_cell whole;
		bool real; /* some of its numbers have a fraction */
	} * column;
	struct class_cell *cell; /* by class and column */
	size_t capacity;
	uint32_t *of_row; /* by row of the other table: its class, UINT32_MAX: none */
	uint32_t *row;    /* of a view with a filter: the row of the other table. NULL: all */
	size_t others;    /* the class of all rows beyond the limits; SIZE_MAX: none */
	uint64_t left_out, no_number; /* rows without the field of a key; cells that are not added */
	bool objects;                 /* rows are about objects */
	bool retained;                /* the retained bytes are known */
};

/* Returns false, with *err: a table, column or filter is not there, or the measures of a column
   cannot be. */
bool classes_check(const struct table *table, struct err *err);
/* Returns true for values that SUM, MOST and SHARE_OF take as numbers. */
bool classes_kind_adds(enum value_kind kind);
/* Returns the stages of the other table and of its columns that are shown or compared. */
unsigned classes_need(const struct table *table);
/* Opens the rows of a table; `argument` is that of the other table. For struct rows. */
bool classes_open(struct rows *rows, const char *argument, struct err *err);
void classes_cell(const struct rows *rows, size_t row, struct value *value);
extern const struct rows_made classes_made;
/* Adds a row of nothing for each class that only rows->before has. */
void classes_add_gone(struct rows *rows);
/* Stores the row of each object, where the other rows are about objects. For struct table. */
void classes_members(const struct rows *rows, uint32_t *row_of);
bool classes_no_objects(const struct rows *rows);
bool classes_retained_unknown(const struct rows *rows);

/* Defines where the retained bytes of the classes of a table are computed once, and saved in the
   index under that name: `.retained = &id` of the table. */
#define CLASSES_KEPT(id, of_table, label)                                       \
	static void *id##_make(const struct analysis *analysis, enum retain retain, \
	                       struct progress *progress)                           \
	{                                                                           \
		return classes_retained_make(&(of_table), analysis, retain, progress);  \
	}                                                                           \
	DEFINE_PLUGIN(kept_kinds, struct kept_kind, id) = {                         \
		.name = (label),                                                        \
		.needs = STAGE_TYPED | STAGE_OWNED,                                     \
		.by_retain = true,                                                      \
		.without_parts = true,                                                  \
		.make = id##_make,                                                      \
		.free = retained_of_class_free,                                         \
		.size = sizeof(struct retained_of_class),                               \
		.index = retained_of_class_index,                                       \
	}
void *classes_retained_make(const struct table *table, const struct analysis *analysis,
                            enum retain retain, struct progress *progress);
