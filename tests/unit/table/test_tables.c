/* Every table: names are unique, texts for help and manual exist, and it fits on a screen. */
#include "cmocka_all.h"

#include "format/format.h"
#include "table/contents/field_columns.h"
#include "table/table.h"

#include <ctype.h>
#include <string.h>

static void names_are_stable_words(const char *name)
{
	assert_true(*name);
	for (; *name; name++)
		assert_true(islower((unsigned char)*name) || *name == '_' || *name == '-');
}

static void is_some_words_without_stop(const char *help)
{
	assert_non_null(strchr(help, ' '));
	assert_int_not_equal(help[strlen(help) - 1], '.');
}

TEST(every_table_can_be_found_and_explained)
{
	for (size_t i = 0; tables[i]; i++) {
		names_are_stable_words(tables[i]->name);
		is_some_words_without_stop(tables[i]->help);
		assert_ptr_equal(table_find(tables[i]->name), tables[i]);
		assert_true(!tables[i]->sort || table_column(tables[i], tables[i]->sort) >= 0);
	}
	assert_null(table_find("nothing"));
}

TEST(every_table_leaves_room_for_columns_of_fields)
{
	for (size_t i = 0; tables[i]; i++)
		assert_in_range(tables[i]->column_count, 0, TABLE_COLUMNS_MOST - FIELD_COLUMNS_MOST);
}

TEST(every_column_can_be_found_and_explained)
{
	for (size_t i = 0; tables[i]; i++)
		for (int c = 0; c < tables[i]->column_count; c++) {
			const struct column *column = &tables[i]->columns[c];
			names_are_stable_words(column->name);
			is_some_words_without_stop(column->help);
			assert_int_equal(table_column(tables[i], column->name), c);
		}
}

/* A screen shows the heads of a table before its rows exist. */
TEST(columns_of_rows_to_come_are_not_hidden)
{
	for (size_t i = 0; tables[i]; i++) {
		struct rows rows = {.table = tables[i]};
		for (int c = 0; c < tables[i]->column_count; c++)
			assert_true(rows_column_hidden(&rows, c) == tables[i]->columns[c].on_request);
	}
}

enum { SCREEN = 80, MARGIN = 1, GAP = 2, REST_LEAST = 10 };

/* `other` are parts that a dump with the columns of the others does not have. */
static void fits_80_columns(const struct table *table, unsigned other)
{
	int width = MARGIN - GAP, rests = 0;
	for (int c = 0; c < table->column_count; c++) {
		const struct column *column = &table->columns[c];
		if (column->rank || column->parts & other)
			continue;
		rests += column->width == 0;
		width += GAP + (column->width ? column->width : REST_LEAST);
	}
	assert_in_range(width, 1, SCREEN);
	assert_in_range(rests, 0, 1);
}

TEST(what_is_always_shown_fits_80_columns)
{
	for (size_t i = 0; tables[i]; i++) {
		if (!tables[i]->column_count) /* a query names its own columns */
			continue;
		fits_80_columns(tables[i], PART_NAMES);
		fits_80_columns(tables[i], PART_MEMORY);
	}
}
